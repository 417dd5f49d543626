"""Synchronous replicas on parameter servers, and the end of their training.

Each step of a SyncReplicasOptimizer takes N gradients and gives at least N tokens. A worker gives one gradient for each
token that it takes. TensorFlow's own class, in every release, hangs at the end of a training in three ways:

- A worker that stops keeps its last token. If the workers do not all stop after the same step, the other N - 1 wait for
  ever for a step that cannot come. Here the worker gives its token back. The others go on with N gradients a step, as
  they do from the start if there are fewer workers than gradients.
- A chief that stops gives no tokens any more. Its queue runner closes the queue of tokens only if a Coordinator stops,
  and many programs just end. Here the chief gives each other worker two more tokens: one for its current run, which may
  have read the step before, and one for a run that reads the last step. Then the chief closes the queue. A worker that
  wants more tokens gets an OutOfRangeError, which MonitoredTrainingSession and `Supervisor.managed_session` take for
  the end of the input.
- The chief's thread that waits for gradients cannot be interrupted. The chief's Coordinator waits two minutes for it in
  vain, and in 1.15 the session's `close` waits for ever. Here the thread has a session of its own; closing that session
  ends the wait.
"""
