public import HTTPTypes

/// What the program says of a response whose status is 400 or above.
public enum StatusAdvice {
  /// Returns the lines: the status, what the server says of it, and what to do.
  ///
  /// - Parameter hadCredentials: Whether the request had the field `Authorization`.
  public static func lines(
    _ status: HTTPResponse.Status, fields: HTTPFields, hadCredentials: Bool = false
  ) -> [String] {
    var lines = ["the server responded with \(Printable.text(shown("\(status)")))"]
    switch status.code {
    case 401, 407:
      let name = status.code == 401 ? HTTPField.Name.wwwAuthenticate : .proxyAuthenticate
      let challenges = fields[values: name]
      lines += challenges.prefix(4).map { "challenge: \(Printable.text(shown($0)))" }
      lines.append(
        "try: "
          + (status.code == 407
            ? "give --proxy a URL with user and password"
            : hadCredentials
              ? "correct the credentials in Authorization, which the server did not accept"
              : "send credentials with -H @FILE, a file with the line \(credentials(for: challenges))"))
    case 405:
      if let allowed = fields[.allow] { lines.append("allowed: \(Printable.text(shown(allowed)))") }
      lines.append("try: send another method with switchyard send METHOD URL")
    case 429, 503:
      let wait = fields[.retryAfter].map { Printable.text(shown($0)) }
      if let wait { lines.append("retry after: \(wait)\(Int64(wait) == nil ? "" : " s")") }
      lines.append(
        "try: wait" + (wait == nil ? "" : " that long")
          + ", or let --retry N do it"
          + (wait.flatMap { Int64($0) }.map { $0 > 60 } ?? false ? ", which waits for at most 60 s" : ""))
    default: break
    }
    return lines
  }

  private static func credentials(for challenges: [String]) -> String {
    let schemes = challenges.map { $0.prefix { $0 != " " }.lowercased() }
    if schemes.contains("bearer") { return "Authorization: Bearer TOKEN" }
    return schemes.contains("basic")
      ? "Authorization: Basic BASE64-OF-USER:PASSWORD" : "Authorization: …"
  }

  private static func shown(_ text: String) -> String {
    text.count > 200 ? "\(text.prefix(200))…" : text
  }
}
