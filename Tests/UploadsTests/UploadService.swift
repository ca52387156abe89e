import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Synchronization
import Uploads

/// A server of tus and of the IETF draft, in memory, which can misbehave at chosen requests.
///
/// It is reached as a dispatcher, or over real connections by ``server()``.
final class UploadService: Dispatcher {
  /// A response.
  struct Reply: Sendable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
  }

  /// How one request is treated.
  enum Fault: Sendable {
    /// As it should be.
    case none
    /// The connection breaks after this many bytes of the content, which are stored.
    case breakOff(after: Int)
    /// The request is processed, and the connection breaks before the response.
    case mute
    /// The response is this one, and nothing is processed.
    case reply(Reply)
    /// All uploads are lost before the request is processed.
    case forget
    /// The response is changed.
    case edit(@Sendable (inout Reply) -> Void)

    static func status(_ code: Int, _ fields: (name: String, value: String)...) -> Fault {
      .reply(Reply(status: code, fields: fields))
    }

    /// The response names this position.
    static func offset(_ text: String) -> Fault {
      .edit { reply in
        reply.fields.removeAll { $0.name == "Upload-Offset" }
        reply.fields.append(("Upload-Offset", text))
      }
    }

    /// The creation names this URL, or none.
    static func location(_ text: String?) -> Fault {
      .edit { reply in
        reply.fields.removeAll { $0.name == "Location" }
        if let text { reply.fields.append(("Location", text)) }
      }
    }
  }

  /// A request, as far as tests examine it.
  struct Received: Sendable {
    let method: String
    let path: String
    let fields: [String: String]

    func value(_ name: String) -> String? { fields[name.lowercased()] }
  }

  /// An upload of the server.
  struct Stored: Sendable {
    let length: Int
    var content: [UInt8] = []
    var isComplete = false
  }

  private struct State {
    var uploads: [String: Stored] = [:]
    var faults: [String: [Fault]] = [:]
    var received: [Received] = []
    var created = 0
    var options: [(name: String, value: String)] = [("Tus-Version", "1.0.0")]
    var creationFields: [(name: String, value: String)] = []
  }

  /// The path of every upload, as a secret that no error shows.
  static let secret = "/files/s3cret-"
  let isTus: Bool
  private let state = Mutex(State())

  init(_ resumption: UploadProtocol) {
    if case .tus = resumption { isTus = true } else { isTus = false }
  }

  // MARK: What tests set and read

  /// Sets how the next requests of a method are treated; later ones are treated as they should be.
  func next(_ method: String, _ faults: Fault...) { state.withLock { $0.faults[method] = faults } }

  /// Sets how all requests of a method are treated.
  func always(_ method: String, _ fault: Fault) {
    state.withLock { $0.faults[method] = Array(repeating: fault, count: 1_000) }
  }

  /// Adds a field to the response to OPTIONS.
  func supports(_ name: String, _ value: String) { state.withLock { $0.options.append((name, value)) } }

  /// Adds a field to the response to a creation.
  func creationField(_ name: String, _ value: String) {
    state.withLock { $0.creationFields.append((name, value)) }
  }

  var received: [Received] { state.withLock { $0.received } }
  /// The requests as text, such as "PATCH 40".
  var log: [String] {
    received.map { request in
      [request.method, request.value("Upload-Offset")].compactMap(\.self).joined(separator: " ")
    }
  }
  /// The content of the upload that was created last.
  var content: [UInt8]? { state.withLock { $0.uploads["\(Self.secret)\($0.created)"]?.content } }
  var isComplete: Bool { state.withLock { $0.uploads["\(Self.secret)\($0.created)"]?.isComplete ?? false } }
  var createdCount: Int { state.withLock { $0.created } }
  var uploadCount: Int { state.withLock { $0.uploads.count } }

  // MARK: Processing

  fileprivate func begin(_ request: Received) -> Fault {
    state.withLock { state in
      state.received.append(request)
      guard var faults = state.faults[request.method], !faults.isEmpty else { return .none }
      let fault = faults.removeFirst()
      state.faults[request.method] = faults
      if case .forget = fault { state.uploads = [:] }
      return fault
    }
  }

  /// Stores a part of the content of a request that breaks off.
  fileprivate func store(_ content: ArraySlice<UInt8>, of request: Received) {
    state.withLock { state in
      guard let upload = state.uploads[request.path], request.method == "PATCH",
        request.value("Upload-Offset") == String(upload.content.count)
      else { return }
      state.uploads[request.path]?.content += content
    }
  }

  /// Processes a request; returns nil if its response is lost.
  fileprivate func process(_ request: Received, _ content: [UInt8], _ fault: Fault) -> Reply? {
    if case .reply(let reply) = fault { return reply }
    var reply = state.withLock { state in process(request, content, &state) }
    if isTus, request.method != "OPTIONS" { reply.fields.append(("Tus-Resumable", "1.0.0")) }
    switch fault {
    case .mute: return nil
    case .edit(let edit): edit(&reply)
    case .none, .breakOff, .reply, .forget: break
    }
    return reply
  }

  private func process(_ request: Received, _ content: [UInt8], _ state: inout State) -> Reply {
    switch request.method {
    case "OPTIONS": return Reply(status: 204, fields: isTus ? state.options : [])
    case "POST", "PUT":
      state.created += 1
      let path = "\(Self.secret)\(state.created)"
      let length = request.value("Upload-Length").flatMap { Int($0) } ?? -1
      state.uploads[path] = Stored(length: length, isComplete: isTus && length == 0)
      return Reply(status: 201, fields: [("Location", path)] + state.creationFields)
    case "HEAD":
      guard let upload = state.uploads[request.path] else { return Reply(status: 404) }
      return Reply(status: isTus ? 200 : 204, fields: status(of: upload, hasLength: true))
    case "DELETE":
      return Reply(status: state.uploads.removeValue(forKey: request.path) == nil ? 404 : 204)
    case "PATCH": return append(content, request, &state)
    default: return Reply(status: 405)
    }
  }

  private func append(_ content: [UInt8], _ request: Received, _ state: inout State) -> Reply {
    guard var upload = state.uploads[request.path] else { return Reply(status: 404) }
    let type = isTus ? "application/offset+octet-stream" : "application/partial-upload"
    guard request.value("Content-Type") == type else { return Reply(status: 415) }
    guard request.value("Upload-Offset") == String(upload.content.count) else {
      return Reply(status: 409, fields: status(of: upload, hasLength: false))
    }
    upload.content += content
    guard upload.content.count <= upload.length else { return Reply(status: 400) }
    let isLast = request.value("Upload-Complete") == "?1"
    upload.isComplete = isTus ? upload.content.count == upload.length : isLast
    state.uploads[request.path] = upload
    let body = upload.isComplete && !isTus ? Array("{\"id\":7}".utf8) : []
    return Reply(
      status: body.isEmpty ? 204 : 200, fields: status(of: upload, hasLength: false), body: body)
  }

  private func status(of upload: Stored, hasLength: Bool) -> [(name: String, value: String)] {
    var fields = [(name: "Upload-Offset", value: String(upload.content.count))]
    if hasLength { fields.append(("Upload-Length", String(upload.length))) }
    if !isTus { fields.append(("Upload-Complete", upload.isComplete ? "?1" : "?0")) }
    return fields
  }
}

// MARK: As a dispatcher

extension UploadService {
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    var fields: [String: String] = [:]
    for field in request.head.headerFields { fields[field.name.canonicalName] = field.value }
    let received = Received(
      method: request.head.method.rawValue, path: request.head.path ?? "", fields: fields)
    let fault = begin(received)
    let lost = NetworkError(
      .transport, "The connection broke while \(received.path) was sent.", requestMayHaveBeenProcessed: true
    ).of(request)
    if case .breakOff(let limit) = fault {
      let source = try await request.body.open()
      var content: [UInt8] = []
      while content.count < limit, let chunk = try await source.read() { content += chunk }
      source.cancel()
      store(content.prefix(limit), of: received)
      throw lost
    }
    let content = try await request.body.collect(upTo: 64 << 20)
    guard let reply = process(received, content, fault) else { throw lost }
    var head = HTTPResponse(status: .init(code: reply.status))
    for (name, value) in reply.fields {
      if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
    }
    return Response(
      head, body: .bytes(reply.body), exchange: Exchange(attempts: 1))
  }
}

// MARK: Over real connections

extension UploadService {
  /// Starts a server over real connections.
  ///
  /// - Parameter gate: What a broken connection waits for before it is reset, if it is not nil.
  func server(port: Int = 0, breakingWhen gate: Gate? = nil) throws -> ScriptedServer {
    try ScriptedServer(
      port: port,
      raw: { [self] request, wire in
        var fields: [String: String] = [:]
        for field in request.fields { fields[field.name.lowercased()] = field.value }
        let received = Received(method: request.method, path: request.target, fields: fields)
        let fault = begin(received)
        var content: [UInt8] = []
        if case .breakOff(let limit) = fault {
          let announced = request.value(of: "Content-Length").flatMap { Int($0) } ?? 0
          while content.count < min(limit, announced), let more = try wire.read() { content += more }
          store(content.prefix(limit), of: received)
          gate?.wait()
          return wire.reset()
        }
        try wire.readBody(of: request) { content += $0 }
        guard let reply = process(received, content, fault) else { return wire.reset() }
        var head = "HTTP/1.1 \(reply.status) Scripted\r\n"
        for (name, value) in reply.fields { head += "\(name): \(value)\r\n" }
        if reply.status != 204 { head += "Content-Length: \(reply.body.count)\r\n" }
        try wire.send(Array((head + "\r\n").utf8) + (request.method == "HEAD" ? [] : reply.body))
        wire.stayOpen()
      })
  }
}
