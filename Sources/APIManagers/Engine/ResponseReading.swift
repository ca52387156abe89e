import HTTPTypes
import Interception

/// Turns the responses of an API into outputs or errors, without I/O.
///
/// The steps are the service's rule, the accepted statuses, the API's validator, and its output.
struct ResponseReading<A: API>: Sendable {
  let api: A
  let service: Service
  let acceptedStatuses: Range<Int>
  let format: JSONFormat

  init(_ api: A, _ endpoint: Endpoint<A.Params>) {
    self.api = api
    service = endpoint.service
    acceptedStatuses = endpoint.acceptedStatuses
    format = endpoint.format
  }

  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  func rejection(of response: APIResponse) -> APIError? {
    switch service.responseRule.verdict(on: response) {
    case .proceed: break
    case .fail(let error): return rejected(APIError(error, response))
    case .swallow(let reason): return APIError(swallowedBy: service.name, reason: reason, response)
    }
    guard acceptedStatuses.contains(response.status.code) else {
      return rejected(APIError(unacceptedStatusOf: response))
    }
    do throws(ResponseError) {
      try api.validate(response)
      return nil
    } catch {
      return rejected(APIError(error, response))
    }
  }

  /// Returns the output of a response that isn't rejected.
  func output(of response: APIResponse) -> Result<A.Output, APIError> {
    do {
      return .success(try api.output(from: response))
    } catch {
      return .failure(rejected(APIError(readingOf: response, by: A.self, error)))
    }
  }

  /// Returns the error with the failure body of its response, if the API has one.
  private func rejected(_ error: APIError) -> APIError {
    guard A.Failure.self != Never.self, let response = error.response, !response.bytes.isEmpty,
      let body = try? response.json(as: A.Failure.self, format: format)
    else { return error }
    return error.with(failureBody: body)
  }
}
