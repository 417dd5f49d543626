"""migrate: a repository is rewritten, its checkpoints and graphs are found, and its programs are proven."""
