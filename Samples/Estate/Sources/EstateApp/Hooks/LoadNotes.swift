import Switchyard

/// Keeps a note of the last successful load, and of the last failed one until its API succeeds: in one place
/// for all screens.
///
/// A cancelled load is the user's own doing and is not noted.
@MainActor final class LoadNotes: APIHooks {
  private var lastResponse: APIResponse?
  private var lastError: APIError?

  var lines: [String] {
    let response = lastResponse.map { response in
      let version = response.exchange.transport?.version?.rawValue ?? "the network"
      return "The last answer: \(response.api), \(response.bytes.count) bytes from "
        + (response.isFromCache ? "the cache" : version)
    }
    let error = lastError.map { "The last failure: \($0.label), \($0)" }
    return [response, error].compactMap { $0 }
  }

  func afterSuccess(_ response: APIResponse, of manager: any APIManaging) {
    lastResponse = response
    if lastError?.api == response.api { lastError = nil }
  }

  func afterFailure(_ error: APIError, of manager: any APIManaging) {
    if error.kind != .cancelled { lastError = error }
  }
}
