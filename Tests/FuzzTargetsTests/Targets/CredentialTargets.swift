import HTTPTypes
import Interception

@testable import CookieKeeping
@testable import Cryptography
@testable import RequestAuthorization

extension FuzzTarget {
  static let challenges = FuzzTarget(
    name: "challenges", reads: "WWW-Authenticate, and responses to Digest",
    seeds: texts(
      #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xl", opaque="F""#,
      #"Basic realm="a \"b\"", Bearer error="invalid_token", Negotiate abc=="#,
      #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
      #"Digest realm="a", nonce="b\\", algorithm=MD5-sess, qop=auth, userhash=true, stale=TRUE"#, ",, ,Basic"),
    words: [
      "Digest ", "Basic ", "realm=", "nonce=", "qop=", "\"auth\"", "algorithm=", "MD5", "SHA-256", "opaque=",
      "\\\"", ", ", "userhash=true", "stale=true", "==",
    ]
  ) { bytes in
    let challenges = Challenge.list([text(bytes)])
    let printed = challenges.map(written).joined(separator: ", ")
    try require(Challenge.list([printed]), equals: challenges, "Challenges, written again, are the same.")
    for challenge in challenges {
      guard let digest = DigestChallenge(challenge) else { continue }
      let response = DigestResponse(
        challenge: digest, user: "u\"s", password: Secret("p"), method: "GET", uri: "/a?b=\"c\"", count: 1,
        clientNonce: "n")
      guard let value = try? response.fieldValue() else { continue }
      let credentials = Challenge.list([value])
      try require(credentials.count, equals: 1, "Credentials are one list of parameters.")
      try require(
        [
          credentials[0].parameters["realm"], credentials[0].parameters["nonce"],
          credentials[0].parameters["opaque"],
        ],
        equals: [digest.realm, digest.nonce, digest.opaque], "Credentials repeat what the challenge says.")
      try require(
        credentials[0].parameters["username"] == "u\"s" || digest.hashesUser,
        "A challenge does not change the user of the credentials.", value)
    }
  }

  private static func written(_ challenge: Challenge) -> String {
    if let data = challenge.token68 { return "\(challenge.scheme) \(data)" }
    let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { name, value in
      let quoted = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
      return "\(name)=\"\(quoted)\""
    }
    return ([challenge.scheme] + [parameters.joined(separator: ", ")].filter { !$0.isEmpty }).joined(
      separator: " ")
  }
}

extension FuzzTarget {
  static let setCookie = FuzzTarget(
    name: "set-cookie", reads: "Set-Cookie",
    seeds: texts(
      "SID=31d4; Domain=.Example.com; Path=/a; Max-Age=3600; Secure; HttpOnly; SameSite=Lax",
      "a=b; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "=x", "x", "__Host-a=b; Path=/; Secure",
      "a=b; max-age=-1; path=x; domain=", "a=b; Max-Age=99999999999999999999", "é=ü; SameSite=None"),
    words: [
      "; Domain=", "; Path=/", "; Max-Age=", "; Expires=", "; Secure", "; HttpOnly", "; SameSite=", "None",
      "Lax",
      "example.com", "__Host-", "__Secure-", "09 Jun 2021 10:18:14", "-1", "9223372036854775807",
    ]
  ) { bytes in
    if let line = SetCookieLine(FieldText(bytes)), bytes.allSatisfy({ $0 < 0x80 }) {
      try require(
        SetCookieLine("\(written(line))"), equals: line, "A cookie, written again, is the same cookie.")
    }
    if let time = CookieDate.parse(bytes) {
      try require(
        CookieDate.parse(Array(HTTPDate.format(time).utf8)), equals: time,
        "The date of a cookie, written again, is the same time.")
    }
    let store = CookieStore()
    for (host, path) in [("www.example.com", "/a/b"), ("example.com", "/")] {
      let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: path)
      store.store(bytes.split(separator: 0x0A).map { FieldText($0) }, from: Request(head))
      let field = store.field(for: head, in: "")
      try require(
        field?.bytes.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F } ?? true,
        "A Cookie field has no control character.", "\(field ?? "")")
      try require(
        store.cookies().allSatisfy { !$0.name.isEmpty || !$0.value.utf8.contains(UInt8(ascii: "=")) },
        "What is sent of a cookie without a name has no equals sign.", "\(field ?? "")")
    }
    try checkFile(store.cookies().map { ("account\t1", $0) })
  }

  private static func written(_ line: SetCookieLine) -> String {
    var text = "\(line.name)=\(line.value)"
    if !line.domain.isEmpty { text += "; Domain=.\(line.domain)" }
    if let path = line.path { text += "; Path=\(path)" }
    switch line.expiry {
    case .after(let seconds): text += "; Max-Age=\(seconds)"
    case .at(let time): text += "; Expires=\(HTTPDate.format(time))"
    case nil: break
    }
    if line.isSecure { text += "; Secure" }
    if line.isHTTPOnly { text += "; HttpOnly" }
    return text + (line.sameSite.map { "; SameSite=\($0.rawValue)" } ?? "")
  }

  static let cookieFile = FuzzTarget(
    name: "cookie-file", reads: "the file of a cookie store",
    seeds: texts(
      "\tSID\t31d4\texample.com\t/\thso\tlax\t1790000000\t1780000000\t1780000001\n",
      "p%09q\ta%25\tb\te\t/a\t\t\t-9223372036854775808\t9223372036854775807\t0\n"),
    words: ["\t", "%09", "%25", "%0A", "lax", "none", "hso", "/", "9223372036854775807", "-1"]
  ) { bytes in
    let lines = bytes.split(separator: 0x0A)
    let text =
      Array("switchyard cookies 1\n".utf8) + lines.flatMap { $0 + [0x0A] }
      + Array("end \(lines.count)\n".utf8)
    try checkFile(CookieFileText.decode(bytes).cookies)
    let cookies = CookieFileText.decode(text).cookies
    try checkFile(cookies)
    let now = WallTime(secondsSince1970: 1_785_000_000)
    var jar = CookieJar()
    for (_, cookie) in cookies { _ = jar.insert(cookie, at: now) }
    let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
    if let url = CookieURL(head) { _ = jar.field(for: url, at: now) }
  }

  private static func checkFile(_ cookies: CookieFileText.Cookies) throws {
    let kept = cookies.filter(\.cookie.isPersistent)
    let contents = CookieFileText.decode(CookieFileText.encode(cookies))
    let read = contents.cookies
    let law = "Cookies, written to a file and read, are the same."
    try require(contents.firstDamage, equals: nil, law)
    try require(read.map(\.partition), equals: kept.map(\.partition), law)
    // Times are written in seconds.
    try require(read.map { "\($0.cookie)" }, equals: kept.map { "\($0.cookie)" }, law)
    try require(read.map(\.cookie.valueText), equals: kept.map(\.cookie.valueText), law)
    try require(read.map(\.cookie.expiry?.seconds), equals: kept.map(\.cookie.expiry?.seconds), law)
  }
}
