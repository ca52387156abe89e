#if SQLite
import DurableQueues
public import HTTPTypes
public import Interception

/// A request that changes something on the server, as a ``MutationQueue`` stores it.
///
/// Credentials are never part of it: the pipeline of the delivery adds them.
public struct Mutation: Sendable, Hashable, Identifiable {
  /// Identifies the mutation, and is sent as `Idempotency-Key`, by which the server recognizes a repeat.
  public let id: String
  /// The resource that is changed, such as `listing/42`; mutations of one resource are delivered in order.
  public let resource: String
  /// The method, URL and header fields.
  public let head: HTTPRequest
  /// The content.
  public let body: [UInt8]
  /// The API, if the request had one.
  public let api: APIIdentity?
  /// The account on whose behalf the request is sent.
  public let partition: String
  /// When the mutation was enqueued.
  public let time: WallTime
  /// The number of attempts that may have reached the server, with the one in progress; the server may have
  /// processed the mutation if this isn't 0.
  public internal(set) var attempts = 0

  /// The request of a delivery.
  var request: Request {
    var head = head
    head.headerFields.setIdempotencyKey(id)
    var request = Request(head, body: body.isEmpty ? .empty : .bytes(body))
    request.context.api = api
    request.context.partition = partition
    return request
  }
}

/// A mutation that the server has refused.
public struct RejectedMutation: Sendable, Hashable, Identifiable {
  /// The mutation.
  public let mutation: Mutation
  /// Why it was refused, such as `status 409`, or the label of a `NetworkError` for one that can't be sent.
  public let reason: String

  /// The mutation's ID.
  public var id: String { mutation.id }
}
#endif
