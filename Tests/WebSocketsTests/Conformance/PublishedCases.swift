/// The numbers of the cases of Autobahn|Testsuite for clients, and those that are not run.
enum PublishedCases {
  /// The sections with the number of their cases.
  private static let sections: [(name: String, count: Int)] = [
    ("1.1", 8), ("1.2", 8), ("2", 11), ("3", 7), ("4.1", 5), ("4.2", 5), ("5", 20), ("6.1", 3), ("6.2", 4),
    ("6.3", 2), ("6.4", 4), ("6.5", 5), ("6.6", 11), ("6.7", 4), ("6.8", 2), ("6.9", 4), ("6.10", 3),
    ("6.11", 5), ("6.12", 8), ("6.13", 5), ("6.14", 10), ("6.15", 1), ("6.16", 3), ("6.17", 5), ("6.18", 5),
    ("6.19", 5), ("6.20", 7), ("6.21", 8), ("6.22", 34), ("6.23", 7), ("7.1", 6), ("7.3", 6), ("7.5", 1),
    ("7.7", 13), ("7.9", 9), ("7.13", 2), ("9.1", 6), ("9.2", 6), ("9.3", 9), ("9.4", 9), ("9.5", 6),
    ("9.6", 6), ("9.7", 6), ("9.8", 6), ("10.1", 1), ("12.1", 18), ("12.2", 18), ("12.3", 18), ("12.4", 18),
    ("12.5", 18), ("13.1", 18), ("13.2", 18), ("13.3", 18), ("13.4", 18), ("13.5", 18), ("13.6", 18),
    ("13.7", 18),
  ]

  /// The numbers of all cases.
  static let ids = sections.flatMap { section in (1...section.count).map { "\(section.name).\($0)" } }

  /// The cases and whole sections that are not run, and why.
  static let exceptions: [(name: String, reason: String)] = [
    ("9.1.5", tooLong + " 9.2.5"), ("9.1.6", tooLong + " 9.2.6"),
    ("13.3", noClientWindow + " of 9 bits"), ("13.4", noClientWindow + " of 15 bits"),
    ("13.5", noClientWindow + " of 9 bits, without context"),
    ("13.6", noClientWindow + " of 15 bits, without context"),
  ]
  private static let tooLong =
    "Checking that a text is UTF-8 takes a second without optimization, and a binary message as long is"
  private static let noClientWindow =
    "The client does not offer client_max_window_bits, so the server declines compression: it wants a window"

  /// The numbers of an exception.
  static func ids(of exception: String) -> [String] {
    ids.filter { $0 == exception || $0.hasPrefix(exception + ".") }
  }
}
