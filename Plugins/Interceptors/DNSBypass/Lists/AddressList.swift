public import Interception

/// A list of addresses per host as a server sends it, before it is checked.
public struct AddressList: Sendable, Hashable {
  /// The host names, with an optional port, and their addresses, as in ``AddressTable``.
  public let hosts: [String: [String]]
  /// When the server has issued the list, or nil if that isn't known.
  ///
  /// A list that is older than the one in use is refused, as is one issued more than a day after the clock's
  /// time.
  public let issued: WallTime?

  /// Creates a list.
  public init(hosts: [String: [String]], issued: WallTime? = nil) {
    self.hosts = hosts
    self.issued = issued
  }

  /// Parses the text form: a line for each host with its addresses, separated by spaces.
  ///
  /// ```
  /// issued 1764000000
  /// api.estate.example 203.0.113.7 [2001:db8::7]:8443
  /// ```
  ///
  /// The line `issued` with the seconds since 1970 is optional. Empty lines and lines that begin with `#` are
  /// ignored.
  ///
  /// - Throws: ``AddressListError/malformed(line:)``.
  public init(text: [UInt8]) throws(AddressListError) {
    var hosts: [String: [String]] = [:]
    var issued: WallTime?
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let line = String(validating: line, as: UTF8.self) else { throw .malformed(line: index + 1) }
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      if name == "issued" {
        guard words.count == 2, issued == nil, let seconds = Int64(words[1]), seconds >= 0 else {
          throw .malformed(line: index + 1)
        }
        issued = WallTime(secondsSince1970: seconds)
      } else {
        guard words.count > 1, hosts[name] == nil else { throw .malformed(line: index + 1) }
        hosts[name] = Array(words.dropFirst())
      }
    }
    self.init(hosts: hosts, issued: issued)
  }
}
