public import HTTPTypes
public import Interception
import Synchronization

/// A request that has arrived at a server of a ``SimulatedNetwork``.
public struct SimulatedArrival: Sendable {
  /// The number of the exchange, counted from 1.
  package let number: Int
  /// The request, as it left the chain.
  public let request: Request
  /// The content of the request.
  public let body: [UInt8]
  /// The origin, which is the request's authority.
  package let origin: String
  /// The time since the network's start.
  package let time: Duration

  /// The path of the request, without its query.
  public var path: String { String(request.head.path?.prefix { $0 != "?" } ?? "") }

  /// Returns the value of a header field.
  public func field(_ name: HTTPField.Name) -> String? { request.head.headerFields[name] }
}
