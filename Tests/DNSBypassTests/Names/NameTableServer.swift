import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting

@testable import DNSBypass

/// A server of DNS over HTTPS that answers from a table, and can hold back what it says of HTTPS records.
struct NameTableServer: Sendable {
  /// What requests for names are sent to.
  let dispatcher: ScriptedDispatcher
  private let mayAnswer: WaitableValue<Bool>

  /// - Parameters:
  ///   - answers: The records by question, which is a name and the number of a type, such as "api.test 65".
  ///   - holdsRecords: Whether questions for HTTPS records are answered after ``release()`` only.
  ///   - failure: Returns what becomes of a question for HTTPS records; nil answers it.
  init(
    _ answers: [String: [NameMessageBuilder.Record]], holdsRecords: Bool = false,
    failure: @escaping @Sendable () -> Result<Response, NetworkError>? = { nil }
  ) {
    let mayAnswer = WaitableValue(!holdsRecords)
    self.mayAnswer = mayAnswer
    dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      let question = Self.question(of: request)
      if question.hasSuffix(" 65") {
        _ = try? await mayAnswer.wait { $0 }
        if let failure = failure() { return try failure.get() }
      }
      return Self.response(NameMessageBuilder("api.test", records: answers[question] ?? []).bytes)
    }
  }

  /// The questions so far.
  var questions: [String] { dispatcher.requests.map(Self.question) }

  /// The questions for HTTPS records so far.
  var recordQuestions: [String] { questions.filter { $0.hasSuffix(" 65") } }

  /// Answers the questions for HTTPS records, those that wait and later ones.
  func release() { mayAnswer.update { $0 = true } }

  /// Returns a response with a message.
  static func response(_ bytes: [UInt8]) -> Response {
    Response(status: .ok, headerFields: [.contentType: "application/dns-message"], bytes: bytes)
  }

  /// Returns the name and the type that a request asks for; the whole path if it is no question.
  private static func question(of request: Request) -> String {
    let path = request.head.path ?? ""
    var text = path.split(separator: "=").last.map(String.init) ?? ""
    text = text.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: text) else { return path }
    var reader = NameReader(Array(data))
    do {
      try reader.skip(12)
      var name = try reader.name()[...]
      var labels: [String] = []
      while let length = name.popFirst(), length > 0 {
        labels.append(String(decoding: name.prefix(Int(length)), as: UTF8.self))
        name = name.dropFirst(Int(length))
      }
      return "\(labels.joined(separator: ".")) \(try reader.number())"
    } catch {
      return path
    }
  }
}
