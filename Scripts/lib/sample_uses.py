"""Finds the public declarations of some products that no source of Samples/Estate uses, by the compiler's index."""

import re

from .command import ROOT, fail
from .swift_index import Index

PRODUCTS = ["Mediation", "RouteRedirects", "PageBridging", "Navigation", "APIManagers", "RequestRetry",
            "RedirectFollowing", "CookieKeeping", "RequestAuthorization", "RequestSharing", "RateLimiting",
            "RequestValidation", "Inspection", "WebPages", "ResourceLoading", "Deployment", "FeatureFlags",
            "LocalStores", "ScreenContents"]
EXCEPTIONS = ROOT / "docs" / "unused-by-samples.txt"
# An extension of another module's type is no declaration, and an associated type is inferred.
UNCOUNTED = {"swift.extension", "swift.associatedtype"}
ERRORS = {"Error", "LocalizedError", "LoggableError"}


class Product:
    """The public declarations of a product by their USRs, and what the use of one says of others."""

    def __init__(self, symbols, relations, occurrences):
        self.symbols = symbols
        self.owners, self.requirements, self.errors = {}, set(), set()
        for relation in relations:
            source, target = relation["source"], relation["target"]
            if relation["kind"] == "conformsTo":
                protocol = relation.get("targetFallback") or ".".join(self.symbols[target]["pathComponents"])
                self.errors |= {source} if protocol.rpartition(".")[2] in ERRORS else set()
            elif relation["kind"] in ("memberOf", "requirementOf"):
                self.owners[source] = target
                self.requirements |= {source} if relation["kind"] == "requirementOf" else set()
        # A protocol exists for what the product calls through it.
        self.called = {each.usr for each in occurrences if not each.is_definition} & self.requirements
        self.implemented = {each.usr: each.implemented for each in occurrences if each.is_definition and each.implemented}

    def follow(self, usr):
        """Returns what is used if a declaration is: its owner, and what its signature names or an initializer sets."""
        symbol, owner = self.symbols[usr], self.owners.get(usr)
        yield owner
        yield from (part.get("preciseIdentifier") for part in symbol.get("declarationFragments", []))
        if symbol["kind"]["identifier"] == "swift.init":
            names = re.findall(r"(\w+):", symbol["pathComponents"][-1])
            yield from (usr for usr, each in self.symbols.items()
                        if self.owners.get(usr) == owner and each["pathComponents"][-1] in names)

    def used(self, referenced):
        """Returns the declarations that are used if these symbols are, by name or through another declaration."""
        used, more = set(), (referenced | self.called) & self.symbols.keys()
        while more:
            used |= more
            # What implements a requirement is called through it.
            through = {usr for usr, requirements in self.implemented.items()
                       if any(each in used or each not in self.symbols for each in requirements)}
            more = (through.union(*(self.follow(usr) for usr in used)) & self.symbols.keys()) - used
        return used

    def is_counted(self, usr):
        """Whether a sample should use it: what stands in a source, but for errors and what an underscore hides."""
        symbol = self.symbols[usr]
        if ("location" not in symbol or symbol["kind"]["identifier"] in UNCOUNTED
                or symbol["pathComponents"][-1].startswith("_")):
            return False
        while usr and usr not in self.errors:
            usr = self.owners.get(usr)
        return not usr


def complaints(modules, build):
    """Yields what no sample uses and docs/unused-by-samples.txt does not name, and what is named there without need."""
    index = Index(build / "index/store")
    units = index.units()

    def occurrences(*folders):
        places = tuple(f"{ROOT / folder}/" for folder in folders)
        found = [each for file in units if file.startswith(places) for record in units[file] for each in index.occurrences(record)]
        return found or fail(f"the index contains nothing of {' or '.join(map(str, folders))}; build Samples/Estate first")
    # What the sample names, and what it implements.
    referenced = {usr for each in occurrences("Samples/Estate") for usr in (each.usr, *each.implemented)}
    unused = {}
    for name in PRODUCTS:
        product = Product(*modules[name], occurrences(*(each.relative_to(ROOT) for place in ("Sources", "Plugins")
                                                       for each in (ROOT / place).glob(f"**/{name}"))))
        for usr in product.symbols.keys() - product.used(referenced):
            if product.is_counted(usr):
                symbol = product.symbols[usr]
                file, line = symbol["location"]["uri"], symbol["location"]["position"]["line"]
                unused[".".join([name, *symbol["pathComponents"]])] = f"{file.removeprefix(f'file://{ROOT}/')}:{line + 1}"
    lines = [line.partition(": ") for line in EXCEPTIONS.read_text().splitlines() if line and not line.startswith("#")]
    exceptions = {f"{owner}.{member}" for owner, _, members in lines for member in members.split()}
    for name in sorted(unused.keys() - exceptions, key=unused.get):
        yield f"{unused[name]}: {name}: no sample uses it; show it in Samples/Estate, or make it package-internal"
    for name in sorted(exceptions - unused.keys()):
        yield f"{EXCEPTIONS.name}: {name}: a sample uses it, or it isn't declared; remove it"
