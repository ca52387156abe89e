public import BodyFormats
public import HTTPTypes
public import Interception

/// Params and header fields of every request of a service (`Service(common:)`) or of an app
/// (``APIClient/common``).
///
/// ```swift
/// client.common = CommonFields(params: { _ in ["app": "7.2"] })
/// ```
///
/// An API's own param or field replaces its service's of the same name, and a service's replaces the app's.
public struct CommonFields: Sendable {
  /// Returns the params that are added to the query of a request of an API; called for each request.
  package var params: @Sendable (APIIdentity) -> FormFields
  /// Returns the header fields of a request of an API; called for each request.
  package var headerFields: @Sendable (APIIdentity) -> HTTPFields

  /// Creates common fields; none by default.
  public init(
    params: @escaping @Sendable (APIIdentity) -> FormFields = { _ in [:] },
    headerFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.params = params
    self.headerFields = headerFields
  }
}
