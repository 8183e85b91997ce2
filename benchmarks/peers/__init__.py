"""One process of a load, for turnstate and for each of its peers: the same talk, the same protocol."""
