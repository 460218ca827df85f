"""What is wrong with a store and around it: facts become findings, and findings the acts that mend them. Pure."""
