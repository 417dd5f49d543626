"""Synchronous replicas on parameter servers, and how their training ends.

Each step of a SyncReplicasOptimizer takes N gradients and gives at least N tokens; a worker gives a gradient for each
token that it has taken. In TensorFlow's own class, of every release, training hangs at its end in three ways:

- A worker that stops keeps the token that it took last. The others, with N - 1, wait for ever for a step that cannot
  come, whenever the workers do not all stop after the same step. Here the worker gives its token back: the others go
  on, N gradients a step, as they do from the start where there are fewer workers than gradients.
- A chief that stops gives no tokens any more. Its queue runner closes their queue only where a Coordinator is told to
  stop, and many programs just end. Here the chief gives each of the others two more tokens, one for the run that it is
  in, which may have read the step before, and one for a run that reads the last; then it closes the queue. A worker
  that wants more gets an OutOfRangeError, the end of the input for a MonitoredTrainingSession and for
  `Supervisor.managed_session`.
- The thread of the chief that waits for gradients cannot be interrupted, so that the chief's Coordinator waits for it
  in vain, for two minutes, and the closing of its session for ever (1.15). Here the thread has a session of its own,
  whose closing ends its wait.
"""
