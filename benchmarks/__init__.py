"""Measurements that `make bench` prints. Ratios to something of the same run: machines differ, ratios hardly."""
