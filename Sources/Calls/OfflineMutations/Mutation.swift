#if SQLite
import DurableQueues
public import HTTPTypes
public import Interception

/// A request that changes something on the server, as a ``MutationQueue`` stores it.
///
/// Credentials are never part of it: the pipeline of the delivery adds them.
public struct Mutation: Sendable, Hashable, Identifiable {
  /// The identifier, which is sent as `Idempotency-Key`, so that the server recognizes a repeat.
  public let id: String
  /// The changed resource, such as `listing/42`; mutations of one resource are delivered in order.
  public let resource: String
  /// The method, URL and header fields.
  public let head: HTTPRequest
  /// The content.
  package let body: [UInt8]
  /// The API, if the request had one.
  package let api: APIIdentity?
  /// The account on whose behalf the request is sent.
  public let partition: String
  /// When the mutation was enqueued.
  public let time: WallTime
  /// The number of attempts that may have reached the server, including the one in progress.
  ///
  /// If it isn't 0, the server may have processed the mutation.
  package internal(set) var attempts = 0

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

extension Mutation {
  /// The maximum length of an ID or a resource, in bytes.
  private static let maximumNameLength = 256

  /// Throws unless a request can be stored; its body is not read.
  ///
  /// - Parameter request: Its context has the credential fields of the queue's pipeline.
  static func check(_ request: Request, resource: String, id: String) throws(QueueError) {
    let head = request.head
    let credentials = request.context.credentialFields
    if let field = head.headerFields.first(where: { credentials.contains($0.name) }) {
      throw QueueError(
        .invalid,
        "The request for \"\(resource)\" has the field \(field.name.canonicalName), and credentials are not stored; "
          + "add them at delivery, with AuthorizationInterceptor or CookieInterceptor in the queue's pipeline."
      )
    }
    guard head.scheme != nil, let authority = head.authority, !authority.contains("@"), head.path != nil
    else {
      throw QueueError(
        .invalid,
        "The request for \"\(resource)\" needs a scheme, a path, and an authority without credentials.")
    }
    if let obstacle = request.obstacle(to: .queueing) {
      throw QueueError(
        .invalid,
        "The request for \"\(resource)\" \(obstacle.clause), and a queue stores only its head and its body; "
          + "change it, or send it without the queue.")
    }
    // The ID is sent as a quoted string (RFC 9651, section 3.3.3).
    // SQLite's texts end at a null byte, so that two resources could become one.
    let isName = { (text: String) in
      (1...Self.maximumNameLength).contains(text.utf8.count) && !text.utf8.contains(0)
    }
    let isQuotable = id.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"\"\\".utf8.contains($0) }
    guard isName(resource), isName(id), isQuotable else {
      throw QueueError(
        .invalid,
        "A resource and an idempotency key have 1 to \(Self.maximumNameLength) bytes, none of which is null, and "
          + "a key consists of visible ASCII characters without quotation marks and backslashes.")
    }
  }

  /// Creates a mutation from a request that was checked.
  init(_ request: Request, resource: String, id: String, body: [UInt8], time: WallTime) {
    self.id = id
    self.resource = resource
    head = request.head
    self.body = body
    self.time = time
    api = request.context.api
    partition = request.context.partition
  }

  /// Whether another mutation would send the same request on behalf of the same account.
  func isSameRequest(as other: Mutation) -> Bool {
    resource == other.resource && head == other.head
      && head.headerFields.haveValues(of: other.head.headerFields) && body == other.body && api == other.api
      && partition == other.partition
  }

  /// The line in which the mutation waits.
  var key: MutationLines.Key { MutationLines.Key(partition: partition, resource: resource) }
}

extension Mutation {
  /// The mutation as the bytes that are stored; `attempts` is stored beside them.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(id)
    writer.append(resource)
    writer.append(time.seconds)
    writer.append(time.nanoseconds)
    writer.append(partition)
    writer.append(api == nil ? 0 : 1)
    writer.append(api?.service ?? "")
    writer.append(api?.name ?? "")
    writer.append(head.method.rawValue)
    for part in [head.scheme, head.authority, head.path] { writer.append(part ?? "") }
    writer.append(head.headerFields.count)
    for field in head.headerFields {
      writer.append(field.name.rawName)
      writer.append(field.bytes)
    }
    writer.append(body)
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8], attempts: Int) throws(RecordDamage) {
    var reader = try RecordReader(record)
    id = try reader.text()
    resource = try reader.text()
    time = WallTime(secondsSince1970: try reader.number(), nanoseconds: try reader.number())
    partition = try reader.text()
    let hasAPI = try reader.number() == 1
    let (service, name) = (try reader.text(), try reader.text())
    api = hasAPI ? APIIdentity(service: service, name: name) : nil
    guard let method = HTTPRequest.Method(rawValue: try reader.text()) else { throw RecordDamage() }
    let (scheme, authority, path) = (try reader.text(), try reader.text(), try reader.text())
    var fields = HTTPFields()
    for _ in 0..<(try reader.count()) {
      guard let name = HTTPField.Name(try reader.text()) else { throw RecordDamage() }
      fields.append(HTTPField(name: name, value: try reader.bytes()))
    }
    head = HTTPRequest(
      method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    body = try reader.bytes()
    self.attempts = attempts
    guard reader.isAtEnd else { throw RecordDamage() }
  }
}
#endif
