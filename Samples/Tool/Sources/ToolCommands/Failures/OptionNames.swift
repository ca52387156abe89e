/// The options of the program for the types of the library that errors name as their remedy.
enum OptionNames {
  /// The longer names first, because they contain the shorter ones.
  private static let table = [
    ("choose HTTP3Use.whenAdvertised, which does without", "leave out --http3"),
    ("HTTP3Use.first", "--http3"),
    ("ConnectionPolicy(priorKnowledge:)", "--http2-host"), ("ConnectionPolicy(sockets:)", "--unix-socket"),
    ("TLSPolicy(authorityFile:)", "--cacert"), ("RequestOptions.continueTimeout", "--expect-continue"),
    ("ProxyPolicy(except:)", "no_proxy"), ("ProxyPolicy.Rule(for:)", "the proxies of the environment"),
    ("ProxyPolicy", "--proxy or the environment"), ("timeouts.connect", "--connect-timeout"),
    ("timeouts.call", "--timeout"),
  ]

  /// Returns a text in which the options take the place of the library's names.
  static func replacingTypes(in text: String) -> String {
    table.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
