/// A dispatcher with interceptors of its own, which may know on whose behalf a request is sent.
package protocol IdentifyingDispatcher: Dispatcher {
  /// The interceptors that know it: outermost first, those of cookies last.
  var identityProviders: [any Request.IdentityProvider] { get }
  /// The header fields that are credentials.
  var credentialFields: CredentialFields { get }
}

extension IdentifyingDispatcher {
  /// Returns a request with the identities that the chain's interceptors know, and its credential fields.
  @inline(never)
  package func identified(_ request: Request) -> Request {
    var request = request
    if !credentialFields.isUsual { request.context.credentialFields.formUnion(credentialFields) }
    for provider in identityProviders {
      if let identity = provider.identity(for: request) { request = request.identified(as: identity) }
    }
    return request
  }
}

extension Request {
  /// Returns the request as a dispatcher's interceptors identify it.
  ///
  /// A transfer sends several requests. If they are identified once, at its beginning, an interceptor refuses
  /// those that would leave with the credentials of another login.
  package func identified(over dispatcher: (any Dispatcher)?) -> Request {
    (dispatcher as? any IdentifyingDispatcher)?.identified(self) ?? self
  }
}

extension Next: IdentifyingDispatcher {
  var identityProviders: [any Request.IdentityProvider] { call.pipeline.identityProviders }
  var credentialFields: CredentialFields { call.pipeline.credentialFields }
}

extension Pipeline: IdentifyingDispatcher {
  /// Returns the interceptors of a chain, and of the one behind it, that know on whose behalf a request is
  /// sent.
  static func identityProviders(
    among interceptors: [any Interceptor], over base: any Dispatcher
  ) -> [any Request.IdentityProvider] {
    let all =
      interceptors.compactMap { $0 as? any Request.IdentityProvider }
      + ((base as? any IdentifyingDispatcher)?.identityProviders ?? [])
    // The jar of cookies is that of the partition, which the others determine.
    return all.filter { $0.traits.stage != .cookies } + all.filter { $0.traits.stage == .cookies }
  }
}
