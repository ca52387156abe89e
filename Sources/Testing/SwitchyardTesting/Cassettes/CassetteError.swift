import Foundation
public import Interception

/// The reason that a cassette could not be read or written.
public struct CassetteError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// The problem and its remedy.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
