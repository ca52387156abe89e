import HTTPTypes
import Interception

extension API {
  /// Returns the output of a response, after the checks of the service and the API.
  ///
  /// - Parameter stored: The output that the storage check has decoded, if any.
  func read(_ response: APIResponse, stored: StoredOutput<Self>? = nil) throws(APIError) -> Output {
    let details = Self.endpoint.details
    if let error = rejection(of: response, by: details) { throw withFailureBody(error, details) }
    if let output = stored?.take(response.bytes) { return output }
    do {
      return try output(from: response)
    } catch {
      throw withFailureBody(APIError(readingOf: response, by: Self.self, error), details)
    }
  }

  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  func rejection(of response: APIResponse, by details: EndpointDescription) -> APIError? {
    details.rejection(of: response) { response throws(ResponseError) in try validate(response) }
  }

  /// Returns the error with the failure body of its response, if the API declares one.
  func withFailureBody(_ error: APIError, _ details: EndpointDescription) -> APIError {
    guard Failure.self != Never.self, let response = error.response, !response.bytes.isEmpty,
      let body = try? response.json(as: Failure.self, format: details.format)
    else { return error }
    return error.with(failureBody: body)
  }
}
