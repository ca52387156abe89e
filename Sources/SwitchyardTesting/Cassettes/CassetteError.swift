/// Why a cassette could not be read or written.
public struct CassetteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, and what to do.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
