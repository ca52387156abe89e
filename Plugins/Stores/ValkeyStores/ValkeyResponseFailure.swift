import HTTPTypes
public import Interception
import NonceStores
import ResponseCaching
import Synchronization

/// The reason why a ``ValkeyResponseStore`` treated a call as a miss.
public struct ValkeyResponseFailure: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the server.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The server can't be reached.
    case unreachable
    /// The server did not reply in time.
    case timedOut
    /// The server has no memory for another response.
    case full
    /// The maximum number of calls waits for the server.
    case overloaded
    /// The server refuses a command or the credentials.
    case refused
    /// The server sent something that isn't a reply of its protocol.
    case malformed
  }

  /// What is wrong with the server.
  package let kind: Kind
  /// The fault, the server and the remedy, without any credential.
  public let description: String

  /// Creates the failure of a call.
  init(_ error: NonceStoreError) {
    description = error.description
    kind =
      switch error.kind {
      case .unreachable: .unreachable
      case .timedOut: .timedOut
      case .full: .full
      case .overloaded: .overloaded
      // The last two don't occur: any server is suitable, and none of its responses is required.
      case .refused, .unsuitable, .forgotten: .refused
      case .malformed: .malformed
      }
  }
}
