import HTTPTypes
package import Interception

/// The parts of a request by which its responses can be removed: partition, API, method and target.
package struct CacheSubject: Sendable, Hashable {
  /// The account.
  package let partition: String
  /// The API, if the request named one.
  package let api: APIIdentity?
  /// The method.
  package let method: String
  /// The target URI in canonical, injective bytes.
  package let target: ArraySlice<UInt8>

  /// Creates a subject from its parts.
  init(partition: String, api: APIIdentity?, method: String, target: ArraySlice<UInt8>) {
    self.partition = partition
    self.api = api
    self.method = method
    self.target = target
  }

  /// Creates the subject of a request.
  init(_ request: Request, leavingOut volatile: VolatileParts) {
    let context = request.context
    self.init(
      partition: context.partition, api: context.api, method: request.head.method.rawValue,
      target: CacheTarget(request.head).bytes(leavingOut: volatile.parameters)[...])
  }
}
