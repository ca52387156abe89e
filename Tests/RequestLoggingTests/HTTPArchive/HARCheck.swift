import CommandRunning

/// Checks a document against HAR 1.2, field by field, with Python's JSON parser.
enum HARCheck {
  /// Returns what is wrong with a document; empty if nothing is.
  static func faults(in document: [UInt8]) async throws -> [String] {
    var command = Command("python3", "-c", script)
    command.input = document
    let outcome = try await command.run()
    return outcome.status == 0 ? outcome.lines : ["python3: \(outcome)"]
  }

  static func isPresent() async throws -> Bool {
    try await Command("python3", "-c", "import json").run().status == 0
  }

  // The members of each object as the specification lists them: name, type, whether it is required.
  private static let script = #"""
    import json, re, sys

    def no_duplicates(pairs):
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names): print("duplicate member in", names)
        return dict(pairs)

    def no_constant(text): print("not JSON:", text)

    number, text = (int, float), str
    pair = {"name": (text, True), "value": (text, True), "comment": (text, False)}
    objects = {
        "har": {"log": ("log", True)},
        "log": {"version": (text, True), "creator": ("creator", True), "browser": ("creator", False),
                "pages": (list, False), "entries": (["entry"], True), "comment": (text, False)},
        "creator": {"name": (text, True), "version": (text, True), "comment": (text, False)},
        "entry": {"pageref": (text, False), "startedDateTime": (text, True), "time": (number, True),
                  "request": ("request", True), "response": ("response", True), "cache": ("cache", True),
                  "timings": ("timings", True), "serverIPAddress": (text, False), "connection": (text, False),
                  "comment": (text, False)},
        "request": {"method": (text, True), "url": (text, True), "httpVersion": (text, True),
                    "cookies": (["pair"], True), "headers": (["pair"], True), "queryString": (["pair"], True),
                    "postData": ("postData", False), "headersSize": (int, True), "bodySize": (int, True),
                    "comment": (text, False)},
        "postData": {"mimeType": (text, True), "params": (list, True), "text": (text, True),
                     "comment": (text, False)},
        "response": {"status": (int, True), "statusText": (text, True), "httpVersion": (text, True),
                     "cookies": (["pair"], True), "headers": (["pair"], True), "content": ("content", True),
                     "redirectURL": (text, True), "headersSize": (int, True), "bodySize": (int, True),
                     "comment": (text, False)},
        "content": {"size": (int, True), "compression": (int, False), "mimeType": (text, True),
                    "text": (text, False), "encoding": (text, False), "comment": (text, False)},
        "cache": {"beforeRequest": (dict, False), "afterRequest": (dict, False), "comment": (text, False)},
        "timings": {"blocked": (number, False), "dns": (number, False), "connect": (number, False),
                    "send": (number, True), "wait": (number, True), "receive": (number, True),
                    "ssl": (number, False), "comment": (text, False)},
        "pair": pair,
    }

    def check(value, kind, place):
        if isinstance(kind, list):
            if not isinstance(value, list): return print(place, "is no array")
            for index, item in enumerate(value): check(item, kind[0], f"{place}[{index}]")
        elif isinstance(kind, str):
            if not isinstance(value, dict): return print(place, "is no object")
            for name, (member, required) in objects[kind].items():
                if name in value: check(value[name], member, f"{place}.{name}")
                elif required: print(place, "lacks", name)
            for name in value:
                if name not in objects[kind]: print(place, "has the unknown member", name)
        elif isinstance(value, bool) or not isinstance(value, kind):
            print(place, "has the wrong type:", value)

    har = json.loads(sys.stdin.buffer.read().decode("utf-8", "strict"),
                     object_pairs_hook=no_duplicates, parse_constant=no_constant)
    check(har, "har", "har")
    if har["log"]["version"] != "1.2": print("the version is not 1.2")
    for entry in har["log"]["entries"]:
        date = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)"
        if not re.fullmatch(date, entry["startedDateTime"]): print("no date:", entry["startedDateTime"])
        times = entry["timings"]
        for name in ["send", "wait", "receive"]:
            if times[name] < 0: print(name, "is negative")
        for name in ["blocked", "dns", "connect", "ssl"]:
            if times[name] < 0 and times[name] != -1: print(name, "is negative and not -1")
        parts = ["blocked", "dns", "connect", "send", "wait", "receive"]
        if abs(entry["time"] - sum(max(0, times[name]) for name in parts)) > 0.0005:
            print("time is not the sum of the timings")
        if not re.fullmatch(r"[a-z]+://[^\s/?#]+[^\s]*", entry["request"]["url"]): print("no URL")
    """#
}
