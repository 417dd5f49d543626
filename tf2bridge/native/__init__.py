"""Programs rewritten without sessions: what a trace tells the rewriter, and the proof of its result."""
