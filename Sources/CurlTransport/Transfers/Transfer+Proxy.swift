import Interception

extension Transfer {
  /// Whether a response is the proxy's own, which did not accept the credentials; ``failure`` says so then.
  ///
  /// In a tunnel the response is the server's, and a status of 407 means nothing (RFC 9110, section 15.5.8).
  func isRefusedByProxy(_ statusCode: Int) -> Bool {
    guard statusCode == 407, let proxy = plan.site.options.proxy, !proxy.tunnels(plan.origin.scheme) else {
      return false
    }
    failure = NetworkError(.proxyAuthentication, NetworkError.credentialsSentence(proxy))
    return true
  }
}
