"""LIB028: functions, arguments and modes that Python and other libraries took away, and what computes the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Sources: "What's New in Python" 3.7 to 3.13, "Removed"; the release notes of SciPy 1.13 and 1.14, Pillow 3.0.
RENAMED = {
    "PIL.Image.fromstring": ("PIL.Image.frombytes", "Pillow 3.0"),
    "base64.decodestring": ("base64.decodebytes", "Python 3.9"),
    "base64.encodestring": ("base64.encodebytes", "Python 3.9"),
    "configparser.SafeConfigParser": ("configparser.ConfigParser", "Python 3.12"),
    "fractions.gcd": ("math.gcd", "Python 3.9"),
    "importlib.find_loader": ("importlib.util.find_spec", "Python 3.12"),
    "locale.format": ("locale.format_string", "Python 3.12"),
    "os.errno": ("errno", "Python 3.7"),
    "scipy.integrate.cumtrapz": ("scipy.integrate.cumulative_trapezoid", "SciPy 1.14"),
    "scipy.integrate.simps": ("scipy.integrate.simpson", "SciPy 1.14"),
    "scipy.integrate.trapz": ("scipy.integrate.trapezoid", "SciPy 1.14"),
    "unittest.makeSuite": ("unittest.defaultTestLoader.loadTestsFromTestCase", "Python 3.13"),
    "wave.openfp": ("wave.open", "Python 3.9"),
}
_WINDOWS = frozenset(("barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine"))
_WINDOWS |= {"exponential", "flattop", "gaussian", "general_gaussian", "hamming", "hann", "kaiser", "nuttall", "parzen"}
_WINDOWS |= {"triang", "tukey"}
RENAMED |= {f"scipy.signal.{name}": (f"scipy.signal.windows.{name}", "SciPy 1.13") for name in _WINDOWS}
RENAMED["scipy.signal.hanning"] = ("scipy.signal.windows.hann", "SciPy 1.13")

# What a person has to choose: the release that removed it, and what there is.
GONE = {
    "asyncio.coroutine": "Python 3.11 removed it; async def makes coroutines, with await for yield from",
    "gettext.bind_textdomain_codeset": "Python 3.11 removed it; texts are Unicode",
    "gettext.ldgettext": "Python 3.11 removed it; gettext.dgettext gives Unicode",
    "gettext.ldngettext": "Python 3.11 removed it; gettext.dngettext gives Unicode",
    "gettext.lgettext": "Python 3.11 removed it; gettext.gettext gives Unicode",
    "gettext.lngettext": "Python 3.11 removed it; gettext.ngettext gives Unicode",
    "importlib.abc.Finder": "Python 3.12 removed it; MetaPathFinder and PathEntryFinder are its kinds",
    "importlib.util.module_for_loader": "Python 3.12 removed it; exec_module of a loader takes its place",
    "importlib.util.set_loader": "Python 3.12 removed it; module_from_spec sets what it set",
    "importlib.util.set_package": "Python 3.12 removed it; module_from_spec sets what it set",
    "inspect.ArgSpec": "Python 3.11 removed it; inspect.FullArgSpec has more fields",
    "inspect.formatargspec": "Python 3.11 removed it; str(inspect.signature(function)) writes parameters",
    "matplotlib.pyplot.hold": "Matplotlib 3.0 removed it; plots always hold",
    "matplotlib.pyplot.spectral": "Matplotlib 2.2 removed it; nipy_spectral is the map's name",
    "locale.resetlocale": "Python 3.13 removed it; locale.setlocale(locale.LC_ALL, '') sets the user's",
    "os.stat_float_times": "Python 3.7 removed it; times are floats",
    "pandas.Panel": "pandas 0.25 removed it; a DataFrame with a MultiIndex, or xarray, holds such data",
    "pandas.rolling_mean": "pandas 0.23 removed it; series.rolling(window).mean() computes it",
    "pandas.rolling_std": "pandas 0.23 removed it; series.rolling(window).std() computes it",
    "pandas.scatter_matrix": "pandas 0.25 removed it; pandas.plotting.scatter_matrix draws it",
    "pkgutil.ImpImporter": "Python 3.12 removed it; importlib.machinery.FileFinder finds modules",
    "pkgutil.ImpLoader": "Python 3.12 removed it; importlib.machinery.SourceFileLoader loads modules",
    "platform.popen": "Python 3.8 removed it; subprocess runs commands",
    "platform.dist": "Python 3.8 removed it; the package distro tells of the Linux distribution",
    "platform.linux_distribution": "Python 3.8 removed it; the package distro tells of the Linux distribution",
    "plistlib.readPlist": "Python 3.9 removed it; plistlib.load(file) reads an open file",
    "plistlib.readPlistFromBytes": "Python 3.9 removed it; plistlib.loads reads bytes",
    "plistlib.writePlistToBytes": "Python 3.9 removed it; plistlib.dumps writes bytes",
    "re.template": "Python 3.13 removed it; it was never documented",
    "plistlib.writePlist": "Python 3.9 removed it; plistlib.dump(value, file) writes to an open file",
    "scipy.interpolate.interp2d": "SciPy 1.14 removed it; RegularGridInterpolator or bisplrep interpolates",
    "scipy.stats.itemfreq": "SciPy 1.11 removed it; np.unique(x, return_counts=True) counts",
    "sklearn.datasets.fetch_mldata": "scikit-learn 0.22 removed it; fetch_openml fetches such data",
    "sklearn.datasets.load_boston": "scikit-learn 1.2 removed it; fetch_openml(name='boston') fetches the data",
    "sklearn.metrics.jaccard_similarity_score": "scikit-learn 0.23 removed it; jaccard_score is not the same for all",
    "sklearn.preprocessing.Imputer": "scikit-learn 0.22 removed it; sklearn.impute.SimpleImputer has other arguments",
    "sklearn.utils.linear_assignment_": "scikit-learn 0.23 removed it; scipy.optimize.linear_sum_assignment returns "
    "rows and columns",
    "ssl.match_hostname": "Python 3.12 removed it; an SSLContext checks names by itself",
    "unittest.findTestCases": "Python 3.13 removed it; unittest.defaultTestLoader.loadTestsFromModule finds tests",
    "unittest.getTestCaseNames": "Python 3.13 removed it; unittest.defaultTestLoader.getTestCaseNames lists tests",
    "ssl.wrap_socket": "Python 3.12 removed it; an SSLContext wraps sockets",
    "sys.getcheckinterval": "Python 3.9 removed it; sys.getswitchinterval gives seconds",
    "sys.setcheckinterval": "Python 3.9 removed it; sys.setswitchinterval takes seconds",
    "threading._sleep": "it was private; time.sleep sleeps",
}


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """A hit on each use of such a name, and on each import of it."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node)
        return
    for part, name in context.prefixes(node):
        if isinstance(part, ast.Attribute) and name in RENAMED:
            new, release = RENAMED[name]
            message = f"{release} removed {name}, which is {new}"
            yield Hit(part, message, rewrite=new, imports=(f"import {_module(new)}",), alone=True)
        elif isinstance(part, ast.Attribute) and name in GONE:
            yield Hit(part, f"there is no {name}: {GONE[name]}", Safety.MANUAL)


def _module(name: str) -> str:
    """The module that has to be imported for a dotted name; `errno` is one itself."""
    return name.removesuffix(".loadTestsFromTestCase").rpartition(".")[0] or name


def _import(node: ast.ImportFrom) -> Iterator[Hit]:
    """`from base64 import encodestring, b64encode`: the names stay, and stand for the new ones."""
    if node.level or not node.module:
        return
    moved = [alias for alias in node.names if f"{node.module}.{alias.name}" in RENAMED]
    for alias in node.names:
        if f"{node.module}.{alias.name}" in GONE:
            message = GONE[f"{node.module}.{alias.name}"]
            yield Hit(node, f"there is no {node.module}.{alias.name}: {message}", Safety.MANUAL)
    if not moved:
        return
    kept = [alias for alias in node.names if alias not in moved]
    lines = [ast.unparse(ast.ImportFrom(node.module, kept, 0))] if kept else []
    lines += [_moved(f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in moved]
    new, release = RENAMED[f"{node.module}.{moved[0].name}"]
    yield Hit(node, f"{release} removed {node.module}.{moved[0].name}, which is {new}", rewrite="\n".join(lines))


def _moved(name: str, bound: str) -> str:
    new = RENAMED[name][0]
    module, _, last = new.rpartition(".")
    if not module:
        return f"import {last}" + (f" as {bound}" if bound != last else "")
    if module == "unittest.defaultTestLoader":
        return f"import unittest\n{bound} = {new}"
    return f"from {module} import {last}" + (f" as {bound}" if bound != last else "")


rule = Rule(
    code="LIB028",
    name="removed-names",
    summary="base64.encodestring -> base64.encodebytes, fractions.gcd -> math.gcd, scipy.signal.hann -> windows.hann",
    why="Python 3.7 to 3.13 and later releases of SciPy, scikit-learn, pandas and Matplotlib removed them. Where "
    "another name stands for one it is written; where a person has to choose, the finding says between what.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    find=find,
    examples=(
        Example("import base64\ns = base64.encodestring(b)\n", "import base64\ns = base64.encodebytes(b)\n"),
        Example("import fractions\nn = fractions.gcd(4, 6)\n", "import math\nimport fractions\nn = math.gcd(4, 6)\n"),
        Example(
            "from base64 import b64encode, decodestring\n",
            "from base64 import b64encode\nfrom base64 import decodebytes as decodestring\n",
        ),
        Example(
            "from scipy import signal\nw = signal.gaussian(9, 2)\n",
            "import scipy.signal.windows\nfrom scipy import signal\nw = scipy.signal.windows.gaussian(9, 2)\n",
        ),
        Example("import os\nif e == os.errno.EEXIST: pass\n", "import errno\nimport os\nif e == errno.EEXIST: pass\n"),
        Example("import platform\nd = platform.linux_distribution()\n", reported=True),
        Example("from sklearn.datasets import load_boston\n", reported=True),
        Example("from mine import base64\ns = base64.encodestring(b)\n"),
    ),
)
