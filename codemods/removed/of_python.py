"""Names that Python removed from its own modules.

Sources: "What's New in Python" 3.0 and 3.7 to 3.13, the sections on what was removed.
"""

from __future__ import annotations

from codemods.removed.row import Removed, of_kind, renamed

CLOCK = {
    # Python 3.3 to 3.7 on Linux: time.get_clock_info("clock").implementation is C's clock(), the processor time.
    "time.clock": Removed("Python 3.8", "time.process_time"),
}
GETARGSPEC = {
    "inspect.getargspec": Removed(
        "Python 3.11", hint="inspect.getfullargspec returns seven values; the first four are the same"
    ),
}
COLLECTIONS = renamed(
    "Python 3.10",
    {
        name: f"collections.abc.{name}"
        for name in (
            "AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "ByteString", "Callable",
            "Collection", "Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable",
            "Iterator", "KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence",
            "MutableSet", "Reversible", "Sequence", "Set", "Sized", "ValuesView",
        )
    },
    "collections.",
)  # fmt: skip

_STRING_METHODS = (
    "capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower", "lstrip", "replace", "rfind",
    "rindex", "rjust", "rsplit", "rstrip", "split", "strip", "swapcase", "upper",
)  # fmt: skip
STRING = renamed(
    "Python 3.0",
    {
        "letters": "string.ascii_letters",
        "lowercase": "string.ascii_lowercase",
        "uppercase": "string.ascii_uppercase",
        "maketrans": "str.maketrans",
        "atoi": "int",
        "atof": "float",
        "atol": "int",
        **{name: f"str.{name}" for name in _STRING_METHODS},
    },
    "string.",
)
"""Constants and functions of the module string; functions became methods."""
STRING |= of_kind(
    Removed("Python 3.0", hint="it is a method of the string"),
    ("join", "joinfields", "translate", "zfill", "splitfields"),  # other arguments, or values that are no text
    "string.",
)

_OF_LOADERS = "it served loaders of modules, which no program of TensorFlow 1.x writes"
_OF_BYTES = "it returned bytes in the encoding of the locale"
_OF_DISTRIBUTIONS = "it read files that distributions no longer have"
_BYTES_OF_PLIST = "bytes in such a file had a class of their own, which Python 3.9 removed, too"
NAMES = {
    "base64.decodestring": Removed("Python 3.9", "base64.decodebytes"),
    "base64.encodestring": Removed("Python 3.9", "base64.encodebytes"),
    "configparser.SafeConfigParser": Removed("Python 3.12", "configparser.ConfigParser"),
    "fractions.gcd": Removed("Python 3.9", "math.gcd"),
    "importlib.find_loader": Removed(
        "Python 3.12", hint="importlib.util.find_spec gives a spec, whose loader it returned"
    ),
    "locale.format": Removed("Python 3.12", "locale.format_string"),
    "os.errno": Removed("Python 3.7", "errno"),
    "unittest.makeSuite": Removed("Python 3.13", "unittest.defaultTestLoader.loadTestsFromTestCase"),
    "wave.openfp": Removed("Python 3.9", "wave.open"),
    "asyncio.coroutine": Removed(
        "Python 3.11",
        hint="async def makes coroutines, with await for yield from",
        not_run="asyncio runs the coroutines of async def alone",
    ),
    "gettext.bind_textdomain_codeset": Removed("Python 3.11", hint="texts are Unicode", not_run=_OF_BYTES),
    "gettext.ldgettext": Removed("Python 3.11", hint="gettext.dgettext gives Unicode", not_run=_OF_BYTES),
    "gettext.ldngettext": Removed("Python 3.11", hint="gettext.dngettext gives Unicode", not_run=_OF_BYTES),
    "gettext.lgettext": Removed("Python 3.11", hint="gettext.gettext gives Unicode", not_run=_OF_BYTES),
    "gettext.lngettext": Removed("Python 3.11", hint="gettext.ngettext gives Unicode", not_run=_OF_BYTES),
    "importlib.abc.Finder": Removed(
        "Python 3.12", hint="MetaPathFinder and PathEntryFinder are its kinds", not_run=_OF_LOADERS
    ),
    "importlib.util.module_for_loader": Removed(
        "Python 3.12", hint="exec_module of a loader takes its place", not_run=_OF_LOADERS
    ),
    "importlib.util.set_loader": Removed(
        "Python 3.12", hint="module_from_spec sets what it set", not_run=_OF_LOADERS
    ),
    "importlib.util.set_package": Removed(
        "Python 3.12", hint="module_from_spec sets what it set", not_run=_OF_LOADERS
    ),
    "inspect.ArgSpec": Removed("Python 3.11", hint="inspect.FullArgSpec has more fields"),
    "inspect.formatargspec": Removed(
        "Python 3.11",
        hint="str(inspect.signature(function)) writes parameters",
        not_run="it wrote the seven values of getfullargspec as a text, which signature does otherwise",
    ),
    "locale.resetlocale": Removed("Python 3.13", hint="locale.setlocale(locale.LC_ALL, '') sets the user's"),
    "os.stat_float_times": Removed(
        "Python 3.7", hint="times are floats", not_run="it could ask for whole seconds, which os.stat gives no longer"
    ),
    "pkgutil.ImpImporter": Removed(
        "Python 3.12", hint="importlib.machinery.FileFinder finds modules", not_run=_OF_LOADERS
    ),
    "pkgutil.ImpLoader": Removed(
        "Python 3.12", hint="importlib.machinery.SourceFileLoader loads modules", not_run=_OF_LOADERS
    ),
    "platform.popen": Removed("Python 3.8", hint="subprocess runs commands"),
    "platform.dist": Removed(
        "Python 3.8", hint="the package distro tells of the Linux distribution", not_run=_OF_DISTRIBUTIONS
    ),
    "platform.linux_distribution": Removed(
        "Python 3.8", hint="the package distro tells of the Linux distribution", not_run=_OF_DISTRIBUTIONS
    ),
    "plistlib.readPlist": Removed(
        "Python 3.9", hint="plistlib.load(file) reads an open file", not_run=_BYTES_OF_PLIST
    ),
    "plistlib.readPlistFromBytes": Removed(
        "Python 3.9", hint="plistlib.loads reads bytes", not_run=_BYTES_OF_PLIST
    ),
    "plistlib.writePlist": Removed(
        "Python 3.9", hint="plistlib.dump(value, file) writes to an open file", not_run=_BYTES_OF_PLIST
    ),
    "plistlib.writePlistToBytes": Removed(
        "Python 3.9", hint="plistlib.dumps writes bytes", not_run=_BYTES_OF_PLIST
    ),
    "re.template": Removed("Python 3.13", hint="it was never documented", not_run="it was never documented"),
    "ssl.match_hostname": Removed(
        "Python 3.12",
        hint="an SSLContext checks names by itself",
        not_run="a program that checks certificates by itself has to be looked at",
    ),
    "ssl.wrap_socket": Removed(
        "Python 3.12",
        hint="an SSLContext wraps sockets",
        not_run="it checked no certificate; a person has to choose an SSLContext",
    ),
    "sys.getcheckinterval": Removed("Python 3.9", hint="sys.getswitchinterval gives seconds"),
    "sys.setcheckinterval": Removed("Python 3.9", hint="sys.setswitchinterval takes seconds"),
    "threading._sleep": Removed("Python 3.3", hint="it was private; time.sleep sleeps"),
    "unittest.findTestCases": Removed(
        "Python 3.13", hint="unittest.defaultTestLoader.loadTestsFromModule finds tests"
    ),
    "unittest.getTestCaseNames": Removed(
        "Python 3.13", hint="unittest.defaultTestLoader.getTestCaseNames lists tests"
    ),
}  # fmt: skip
"""Names that the rule removed-names treats."""

ALL = {**CLOCK, **GETARGSPEC, **COLLECTIONS, **STRING, **NAMES}
