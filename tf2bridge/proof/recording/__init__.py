"""Records what a TensorFlow program feeds to its sessions and fetches from them.

This one file needs nothing but the TensorFlow it records (0.12 to 1.15 on Python 2.7 or 3, and the graph mode of
2.x): copy it to the machine that still has it, and run the program under it:

    python recorder.py --output train.trace [OPTIONS] -- train.py ARGS
    python recorder.py --output train.trace [OPTIONS] -- -m package.train ARGS

The program sees its own arguments and `__main__`, and its exit status, exception or signal is passed on; the trace is
written in every case. TensorFlow is imported before the program starts. The recorder records calls of `Session.run`
(also through `eval`, `Operation.run`, `MonitoredSession` and Estimators), of `partial_run`, and of the functions that
`make_callable` returns, in every thread of this process. It does not record forked processes. It reads variables by
separate fetches, which add no op to the graph and run no random op.

While the program runs, the records go to the folder `train.trace.part`, which becomes the trace when it ends. If it is
killed, the folder stays and is read like a trace (`tf2bridge inspect train.trace.part`): files are written after every
call, so only the call in progress is lost. Nothing is run while such a folder is there: move or delete it.
SIGTERM is answered when the call in progress returns.

    --max-calls N, --max-bytes N   what comes later is run and not recorded
    --every N      of the calls with the same fetches: the first 10, then those whose number, from 0, N divides, and
                   all that fail
    --intermediate PATTERN         a regular expression, may be repeated: inner floating tensors whose names it finds
                   ("conv1/Relu:0") and that the call computes anyway are fetched in the same run and recorded with it;
                   not those of conditional branches, loops or variables, nor in `partial_run`. What the program gets
                   is the same; but TensorFlow cannot fuse away a tensor that is fetched, which may change last bits

    --no-draws     random ops without a seed (both are 0) draw other numbers in every run, as in dropout: what they drew
                   is recorded like inner tensors, so that a replay can be given the same; not with this. What variables
                   begin with is recorded in any case. Those in conditions and loops, which cannot be fetched, get
                   seeds; not with this

The trace, version 2, is one zip: `manifest.json`, `graphs/N.pb` (a GraphDef as it stood at the end),
`graphs/N.lines.json` ({line of the program, "model.py:45": [names of the ops it created]}), `arrays/NNNNN.npy` and
`printed.txt`.
Names of members say nothing of their content. The manifest is JSON:

    format, version   "tf2bridge-trace", 2
    recorder, tensorflow, python, numpy    versions: of this file and of what it ran on
    argv              [program, argument, ...] or ["-m", module, argument, ...]
    limits            {calls, bytes, every}: bytes of arrays before compression; every call if `every` is 1
    intermediate      [pattern]
    exit              {status, error: null | text}; status -N: ended by signal N; null: the program did not end
    stopped           null, or {reason: "calls" | "bytes" | an error, call}: the first call not recorded, and why
    notes             [text]: what could not be recorded
    random            [{of: "python" | "numpy", words, place, gauss}] of the Mersenne Twisters of `random` and
                      `numpy.random` when the program began, and after each seed that was left to the system: their 624
                      words of 32 bits in hex, the place of the next one, and a number drawn ahead or null
    printed           {member, cut}: what the program wrote to `sys.stdout`, in UTF-8: its first 1,048,576 characters,
                      and whether more came. Absent if it printed nothing
    graphs            [{member, lines, nodes, seed: null | int, random_ops, variables}] in order of their first call
      lines           the member that holds the ops' lines
      nodes           their number
      random_ops      [{name, type, seed, seed2, given}] every op with seeds as attributes, in creation order; `given`
                      is true for seeds that the recorder gave, and absent for others
      variables       [{name, dtype, shape, trainable, initial: ref, initial_after_call, final: ref}] the collection
                      GLOBAL_VARIABLES in its order, names without ":0". `initial` is the value after the first call
                      that left it initialised, `final` when the graph's last session or the program ended
    calls             [{index, position, kind, graph, session, thread, via, where, error: null | text, feeds, fetches}]
                      in the order in which they ended; sessions are numbered by first call; a failed call has null
                      results
      position        how many calls the program itself made before this one in its main thread, those that were left
                      out included; null for a call that it did not make, or made in another thread
      kind            "run", "callable", or "partial": then also handle, the number of its `partial_run_setup`
      via             "" if the program made the call, else the module of TensorFlow that made it: "saver", ...
      where           null, or [path relative to the program's directory, line] of the nearest frame of the program
      feeds           [{name, value: ref}] by tensor, sorted by name
      fetches         [{name, value: ref}] the leaves of what was fetched, depth first, dicts in the order of their
                      keys as text; a SparseTensor and its like is its tensors; an Operation's value is null
      intermediate    [{name, value: ref}] producers before consumers; only if there are any
    left_out          [{graph, fetches: [name], calls}]: how many calls `--every` left out
    values            a ref is an index into this list, or null; equal values are stored once
                      {kind: "array", dtype, shape, member} an npy array
                      {kind: "string", dtype, shape, members: [bytes as uint8, offsets as int64]}: string i of the
                      flattened array is bytes[offsets[i]:offsets[i + 1]]
                      {kind: "raw", dtype, shape, member} the bytes (uint8) of what npy lacks: bfloat16, qint8
    members           [{name, bytes, crc32}] every other member of the zip
    sha256            hex digest of all bytes of the manifest before the text `,\\n "sha256": "`

The folder holds `members.bin`, the members one after the other, and `journal.jsonl`: a line for each event, the CRC-32
of its JSON in hex, a blank and the JSON. The manifest is what the events add up to; what later ones say of the same
graph, variable or member stands instead:

    header            format to intermediate, as above
    member            {name, offset, bytes, crc32}; of more than 8,192 bytes sum64 in place of crc32: the sum of its
                      bytes as little-endian 64-bit numbers, filled up with zeros, modulo 2**64
    value, call, random    a row of the manifest
    graph             {graph: its number, member, lines, nodes, seed, random_ops}
    variable          {graph, variable: its number, and any fields of its row}
    left_out          {graph, fetches, calls}: so many more
    printed           `printed`
    note              {text}
    stop, end         `stopped`, `exit`
"""
