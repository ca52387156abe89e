import APIManagers
import HTTPTypes
import Interception
import RequestMerging

extension APIClient {
  /// Returns a client whose loads of `homes.compared` are sent in batches: the first one at once, and those
  /// that are made while it is in flight together.
  func mergingComparedHomes() throws(PipelineIssue) -> APIClient {
    try inserting { MergingInterceptor(.comparedHomes) }
  }
}

extension MergeRule {
  /// The rule for homes that are compared; a batch's response has a line for each, such as `42 200 {…}`.
  static let comparedHomes = MergeRule(
    of: APIIdentity(service: "estate", name: "homes.compared"), policy: .whileInFlight,
    // The server speaks HTTP/2; here a batch saves signatures, tokens and lines of its log, not connections.
    appliesToMultiplexed: true
  ) { request in
    request.head.path?.split(separator: "/").last.map(String.init)
  } combine: { items in
    var batch = items[0].request
    batch.head.path = "/v1/homes?ids=" + items.map(\.id).joined(separator: ",")
    return batch
  } split: { bytes in
    var responses: [String: Response] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard parts.count == 3, let status = Int(String(decoding: parts[1], as: UTF8.self)) else { continue }
      responses[String(decoding: parts[0], as: UTF8.self)] = Response(
        status: .init(code: status), bytes: Array(parts[2]))
    }
    return responses
  }
}
