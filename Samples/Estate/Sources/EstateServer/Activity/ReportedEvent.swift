/// An action of a user, as an app reports it.
struct ReportedEvent: Codable, Equatable {
  let id: String
  let name: String
  /// Seconds since 1970.
  let time: Double
  let attributes: [String: JSON]

  /// The maximum size of an event, so that the kept ones take at most a few MiB.
  static let longest = 4 * 1024

  /// The number of bytes of its texts, with eight for every other value.
  var size: Int {
    attributes.reduce(id.utf8.count + name.utf8.count) { size, attribute in
      if case .string(let text) = attribute.value { return size + attribute.key.utf8.count + text.utf8.count }
      return size + attribute.key.utf8.count + 8
    }
  }
}
