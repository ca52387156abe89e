import CommandRunning
import Foundation
import LoopbackServing

/// Python's `requests`, a foreign client.
enum RequestsClient {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private static let script = """
    import json, sys, urllib.parse, requests
    from requests.auth import HTTPBasicAuth, HTTPDigestAuth

    class Bearer(requests.auth.AuthBase):
        def __init__(self, token): self.token = token
        def __call__(self, request):
            request.headers["Authorization"] = "Bearer " + self.token
            return request

    task = json.load(sys.stdin)
    session, schemes, results = requests.Session(), {}, []
    # Neither proxies of the environment nor passwords of .netrc.
    session.trust_env = False
    session.max_redirects = task["redirectLimit"]
    for call in task["calls"]:
        auth = None
        for kind, given in (call.get("credentials") or {}).items():
            key = json.dumps([kind, given], sort_keys=True)
            # A Digest scheme keeps the server's nonce for its next call.
            if kind == "bearer": schemes.setdefault(key, Bearer(given["_0"]))
            if kind == "basic": schemes.setdefault(key, HTTPBasicAuth(given["user"], given["password"]))
            if kind == "digest": schemes.setdefault(key, HTTPDigestAuth(given["user"], given["password"]))
            auth = schemes[key]
        try:
            body = call.get("body")
            response = session.request(
                call["method"], task["origin"] + call["path"], headers=call["fields"], auth=auth,
                data=None if body is None else body.encode(), timeout=60)
        except requests.TooManyRedirects:
            results.append({"redirects": [], "target": "", "text": "", "failure": "tooMany"})
            continue
        url = urllib.parse.urlsplit(response.url)
        results.append({
            "status": response.status_code, "text": response.text,
            "redirects": [past.status_code for past in response.history if past.is_redirect],
            "target": url.path + ("?" + url.query if url.query else ""),
        })
    print(json.dumps(results))
    """

  private struct Task: Encodable {
    let origin: String
    let redirectLimit: Int
    let calls: [PeerCall]
  }

  /// Makes the calls one after another, in one session.
  static func results(of calls: [PeerCall], at authority: String, redirectLimit: Int) async throws
    -> [PeerResult]
  {
    var command = Command(HTTPBinServer.python, "-c", script)
    command.input = Array(
      try JSONEncoder().encode(
        Task(origin: "http://\(authority)", redirectLimit: redirectLimit, calls: calls)))
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(description: outcome.output) }
    return try JSONDecoder().decode([PeerResult].self, from: Data(outcome.bytes))
  }
}
