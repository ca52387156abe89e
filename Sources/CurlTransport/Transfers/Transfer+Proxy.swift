import CCurlShims
import CLibcurl
import Interception

extension Transfer {
  /// Whether an answer is the proxy's own, which did not accept the credentials; ``failure`` says so then.
  ///
  /// In a tunnel the answer is the server's, and a status of 407 means nothing (RFC 9110, section 15.5.8).
  func isRefusedByProxy(_ statusCode: Int) -> Bool {
    guard statusCode == 407, let proxy = route?.proxy, !proxy.tunnels(plan.origin.scheme) else {
      return false
    }
    failure = NetworkError(.proxyAuthentication, NetworkError.credentialsSentence(proxy))
    return true
  }

  /// Tells libcurl to go through a proxy.
  func setProxy(_ handle: EasyHandle, _ proxy: Proxy, _ tls: TLSPolicy) throws(CurlError) {
    try handle.set(CURLOPT_PROXY, proxy.authority)
    try handle.set(CURLOPT_PROXYTYPE, proxy.kind.option)
    if let credentials = proxy.credentials {
      // Every libcurl percent-decodes this option; the two that set name and password apart are decoded by some.
      try handle.set(CURLOPT_PROXYUSERPWD, credentials.encoded)
    }
    switch proxy.kind {
    case .socks5:
      // Neither a ticket of Kerberos nor anything else that was not given.
      return try handle.set(CURLOPT_SOCKS5_AUTH, switchyard_auth_basic)
    case .http: break
    case .https:
      try handle.set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
      try handle.set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
      try handle.set(CURLOPT_PROXY_SSLVERSION, tls.minimumVersion.option)
      if case .file(let path) = tls.authorities {
        try handle.set(CURLOPT_PROXY_CAINFO, path)
        try handle.set(CURLOPT_PROXY_CAPATH, nil)
      }
    }
    if proxy.tunnels(plan.origin.scheme) { try handle.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    // The proxy's answer to CONNECT is not the server's head.
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }
}

extension Proxy.Kind {
  /// libcurl's number of it.
  fileprivate var option: Int {
    switch self {
    case .http: Int(CURLPROXY_HTTP.rawValue)
    case .https: Int(CURLPROXY_HTTPS.rawValue)
    case .socks5: Int(CURLPROXY_SOCKS5_HOSTNAME.rawValue)
    }
  }
}
