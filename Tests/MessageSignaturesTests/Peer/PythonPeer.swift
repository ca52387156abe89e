import CommandRunning
import Foundation
import HTTPTypes

@testable import MessageSignatures

/// A second implementation in Python, on the package "cryptography".
enum PythonPeer {
  struct Job: Codable {
    struct Message: Codable {
      var method: String?
      var url: String?
      var status: Int?
      var fields: [[String]]
      /// In Base64.
      var body: String
    }

    var action: String
    var algorithm: String
    var key: [String: String]
    var message: Message
    var request: Message?
    var identifiers: [String] = []
    var parameters = ""
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Whether the interpreter and its package are installed; on CI they must be.
  static func isPresent() async throws -> Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    return try await Command("python3", "-c", "import cryptography").run().status == 0
  }

  /// Runs jobs and decodes the list of their results.
  static func run<Result: Decodable>(_ jobs: [Job], as type: Result.Type) async throws -> [Result] {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "peer.py")
    var command = Command("python3", script.path)
    command.input = [UInt8](try JSONEncoder().encode(jobs))
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(description: outcome.description) }
    return try JSONDecoder().decode([Result].self, from: Data(outcome.bytes))
  }
}

extension PythonPeer.Job.Message {
  init(_ head: HTTPRequest, body: [UInt8] = []) {
    method = head.method.rawValue
    url = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
    fields = head.headerFields.map { [$0.name.rawName, $0.value] }
    self.body = Data(body).base64EncodedString()
  }

  init(_ head: HTTPResponse, body: [UInt8] = []) {
    status = head.status.code
    fields = head.headerFields.map { [$0.name.rawName, $0.value] }
    self.body = Data(body).base64EncodedString()
  }
}
