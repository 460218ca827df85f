"""Memory over the Model Context Protocol: tools that read, and tools that propose. None of them can commit."""
