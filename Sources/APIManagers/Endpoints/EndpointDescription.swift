import BodyFormats
import HTTPTypes
import Interception

/// What an endpoint says about its requests and responses, independent of the type of its params.
///
/// An endpoint refers to it, so that copying an endpoint, which each load does, costs one retain.
final class EndpointDescription: Sendable {
  /// The values, which an endpoint replaces as a whole.
  struct Values: Sendable {
    var method: HTTPRequest.Method
    var headerFields: HTTPFields
    var cacheRule: CacheRule
    var inFlight: InFlightStrategy
    var options: RequestOptions
    var context = RequestContext()
    var acceptedStatuses: Range<Int>
    var jsonFormat: JSONCoding?
  }

  let service: Service
  let identity: APIIdentity
  let values: Values

  init(_ service: Service, _ identity: APIIdentity, _ values: Values) {
    self.service = service
    self.identity = identity
    self.values = values
  }

  /// The format of the JSON: the endpoint's or else the service's.
  var format: JSONCoding { values.jsonFormat ?? service.jsonFormat }

  /// Whether a cache's default rule can apply to the requests.
  var isRead: Bool { ["GET", "HEAD", "QUERY"].contains(values.method.rawValue) }

  /// Returns the description with other values.
  func with(_ change: (inout Values) -> Void) -> EndpointDescription {
    var values = values
    change(&values)
    return EndpointDescription(service, identity, values)
  }

  /// Returns why a response is rejected before its output is read, or nil if it isn't.
  ///
  /// The service's rule decides first, then the accepted statuses, then the API's validator.
  func rejection(
    of response: APIResponse, validate: (APIResponse) throws(ResponseError) -> Void
  ) -> APIError? {
    switch service.responseRule.verdict(on: response) {
    case .proceed: break
    case .fail(let error): return APIError(error, response)
    case .swallow(let reason): return APIError(swallowedBy: service.name, reason: reason, response)
    }
    guard values.acceptedStatuses.contains(response.status.code) else {
      return APIError(unacceptedStatusOf: response)
    }
    do throws(ResponseError) {
      try validate(response)
      return nil
    } catch {
      return APIError(error, response)
    }
  }
}
