package import Interception

/// Why a merged request has no response, although its batch was built or sent.
///
/// It is the `underlying` error of a `NetworkError` of kind `rejected`.
package enum MergingError: Error, LoggableError, Sendable {
  /// The rule could not build the batch; nothing was sent.
  case notCombined(APIIdentity, underlying: any Error)
  /// The rule could not take the batch's response apart.
  case notSplit(APIIdentity, underlying: any Error)
  /// The batch's response has no response for the request's ID.
  case missingResponse(APIIdentity)
}

extension MergingError: CustomStringConvertible {
  /// A sentence that says what happened and what to do; it contains neither IDs nor content.
  package var description: String {
    switch self {
    case .notCombined(let api, let error):
      "The batch of requests to \(api) could not be built: \(type(of: error)); check the rule's combine closure."
    case .notSplit(let api, let error):
      "The response to a batch of requests to \(api) could not be read: \(type(of: error)); check the rule's split closure."
    case .missingResponse(let api):
      "The response to a batch of requests to \(api) lacks the ID of this request; send the request by itself, or check the server."
    }
  }
}
