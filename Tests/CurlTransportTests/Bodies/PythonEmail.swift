import CommandRunning
import Foundation

/// Python's parser of MIME messages, a foreign reader of multipart bodies.
enum PythonEmail {
  struct Part: Decodable, Equatable {
    var name: String
    var fileName: String?
    var type: String
    /// In Base64.
    var content: String
  }

  struct Failure: Error { let status: Int32 }

  private static let script = """
    import base64, email.parser, email.policy, json, sys
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(sys.stdin.buffer.read())
    parts = []
    for part in message.iter_parts():
        assert part.get_content_disposition() == "form-data" and not part.defects, part.defects
        parts.append({
            "name": part.get_param("name", header="content-disposition"),
            "fileName": part.get_param("filename", header="content-disposition"),
            "type": part.get_content_type(),
            "content": base64.b64encode(part.get_payload(decode=True)).decode(),
        })
    assert message.is_multipart() and not message.defects, message.defects
    print(json.dumps(parts))
    """

  /// Whether there is a Python with this parser.
  static func isPresent() async throws -> Bool {
    try await Command("python3", "-c", "import email.parser").run().status == 0
  }

  /// Reads a body of a content type.
  static func parts(contentType: String, body: [UInt8]) async throws -> [Part] {
    var command = Command("python3", "-c", script)
    command.input = Array("MIME-Version: 1.0\r\nContent-Type: \(contentType)\r\n\r\n".utf8) + body
    command.mergesErrors = false
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(status: outcome.status) }
    return try JSONDecoder().decode([Part].self, from: Data(outcome.bytes))
  }
}
