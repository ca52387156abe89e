import CCurlShims
import CLibcurl

extension Transfer {
  /// Tells libcurl to go through a proxy.
  func setProxy(_ handle: EasyHandle, _ proxy: Proxy, _ tls: TLSPolicy) throws(CurlError) {
    try handle.set(CURLOPT_PROXY, proxy.authority)
    try handle.set(CURLOPT_PROXYTYPE, proxy.kind.option)
    if let credentials = proxy.credentials {
      try handle.set(CURLOPT_PROXYUSERNAME, credentials.user)
      try handle.set(CURLOPT_PROXYPASSWORD, credentials.password)
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
