import Foundation

/// Python's parser of MIME messages: a reader of multipart bodies that nobody here has written.
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

  static let isPresent = (try? run(Data(), script: "import email.parser")) != nil

  /// Reads a body of a content type.
  static func parts(contentType: String, body: [UInt8]) throws -> [Part] {
    let head = Data("MIME-Version: 1.0\r\nContent-Type: \(contentType)\r\n\r\n".utf8)
    return try JSONDecoder().decode([Part].self, from: run(head + Data(body), script: script))
  }

  private static func run(_ input: Data, script: String) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "form-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try input.write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return data
  }
}
