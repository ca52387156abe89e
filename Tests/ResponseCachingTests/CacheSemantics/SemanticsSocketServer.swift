import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing

/// The server of one test, behind a socket of the loopback network.
///
/// It shares the test's clock with the cache, so no request waits for time to pass.
final class SemanticsSocketServer: Sendable {
  private let server: ScriptedServer

  /// The address and port as a URL's authority.
  var authority: String { server.authority }

  init(_ origin: SemanticsOrigin) throws {
    server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { _ in }
      let fields = HTTPFields(
        request.fields.compactMap { field in
          HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
        })
      let method = HTTPRequest.Method(request.method) ?? .get
      guard let answer = origin.answer(method, request.target, fields) else {
        return try wire.send("HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      }
      guard !answer.disconnects else { return }
      try wire.send(answer.wire)
      if answer.isDelimited { wire.stayOpen() }
    })
  }
}

/// How a run reaches the server of its test.
enum SemanticsTransport: Sendable {
  /// By a function call.
  case inProcess
  /// By HTTP/1.1 over libcurl and sockets.
  case sockets(CurlDispatcher)
}
