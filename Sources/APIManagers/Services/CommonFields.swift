public import HTTPTypes
public import Interception

/// Params and header fields of every request of an app, whichever the service.
///
/// ```swift
/// client.common = CommonFields(params: { _ in [QueryField("app", "7.2")] })
/// ```
///
/// An API's own param or field of the same name takes precedence, and so does that of its service. Use it for
/// what all services of the app expect, and ``Service/commonParams`` for what one expects.
public struct CommonFields: Sendable {
  /// Returns the params that are added to the query of a request of an API; called for each request.
  public var params: @Sendable (APIIdentity) -> [QueryField]
  /// Returns the header fields of a request of an API; called for each request.
  public var headerFields: @Sendable (APIIdentity) -> HTTPFields

  /// Creates common fields; none by default.
  public init(
    params: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    headerFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.params = params
    self.headerFields = headerFields
  }
}
