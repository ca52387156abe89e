import Foundation

/// What a client received for a call.
struct PeerResult: Sendable, Codable, Equatable {
  /// The status of the last response; nil if the call failed.
  var status: Int?
  /// The statuses of the responses that redirected.
  var redirects: [Int] = []
  /// The URL of the last response, without its authority.
  var target = ""
  /// The content of the last response.
  var text = ""
  /// The rule that the call broke; nil if it didn't fail.
  var failure: String?

  /// The fields of a request that both clients send alike; of the others, each has its own.
  private static let comparedFields: Set<String> = [
    "authorization", "content-length", "content-type", "cookie", "referer",
  ]

  /// The content as JSON with sorted keys, and of the request's fields those that both clients send alike.
  var json: String {
    guard var object = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] else {
      return text
    }
    if let fields = object["headers"] as? [String: Any] {
      object["headers"] = fields.filter { Self.comparedFields.contains($0.key.lowercased()) }
    }
    guard let sorted = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else {
      return text
    }
    return String(decoding: sorted, as: UTF8.self)
  }

  /// Whether both clients received the same.
  func agrees(with other: PeerResult) -> Bool {
    status == other.status && redirects == other.redirects && target == other.target && json == other.json
      && failure == other.failure
  }
}
