import Foundation
import HTTPTypes
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request of foreign code, which becomes one of the chain.
struct ForeignRequest: Sendable {
  private let original: URLRequest

  init(_ original: URLRequest) { self.original = original }

  /// Fields that belong to the connection or describe the body, which a dispatcher sets.
  private static let left: Set<String> = [
    "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-connection",
    "te", "transfer-encoding", "upgrade",
  ]

  /// Returns the request for the chain, once its body has been read.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names what is wrong and never a value;
  ///   ``NetworkError/Kind/bodyTooLarge(limit:)`` for a stream of more than 64 MiB.
  func request() async throws(NetworkError) -> Request {
    guard let url = original.url, url.user == nil, url.password == nil else {
      throw NetworkError(
        .invalidRequest, "The request has no URL, or one with user information; send that in a field.")
    }
    // A fragment is not sent.
    var request = try Request(String(url.absoluteString.prefix { $0 != "#" }))
    guard let method = HTTPRequest.Method(original.httpMethod ?? "GET") else {
      throw NetworkError(.invalidRequest, "The request's method is not a token; correct httpMethod.")
    }
    request.head.method = method
    for (name, value) in (original.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let fieldName = HTTPField.Name(name) else {
        throw NetworkError(.invalidRequest, "The name of a header field is not a token; correct it.")
      }
      guard !Self.left.contains(fieldName.canonicalName) else { continue }
      guard HTTPField.isValidValue(value) else {
        throw NetworkError(
          .invalidRequest,
          "The value of the header field \(RequestAddress.printable(name)) has a control character or outer white space."
        )
      }
      request.head.headerFields[fieldName] = value
    }
    request.body = try await body()
    request.options.delivery = .streamed
    // 60 s is the default of every request, and not a wish.
    let limit = original.timeoutInterval
    if limit > 0, limit != 60 {
      // An infinite time or one of 30 years means no limit; a Duration could not hold every Double.
      request.options.timeouts.idle = limit < 1e9 ? .seconds(limit) : nil
    }
    switch original.cachePolicy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
      request.context.cacheRule = .inherited.with(.reload)
    case .returnCacheDataElseLoad: request.context.cacheRule = .inherited.with(.preferStored)
    case .returnCacheDataDontLoad: request.context.cacheRule = .inherited.with(.onlyStored)
    case .reloadRevalidatingCacheData: request.context.cacheRule = .inherited.with(.revalidate)
    default: break
    }
    return request
  }

  private func body() async throws(NetworkError) -> RequestBody {
    if let data = original.httpBody { return .bytes([UInt8](data)) }
    guard original.httpBodyStream != nil else { return .empty }
    let original = original
    let result: Result<[UInt8], NetworkError> = await withCheckedContinuation { continuation in
      // A stream can block its reader.
      DispatchQueue.global().async {
        continuation.resume(returning: Self.content(of: original))
      }
    }
    return .bytes(try result.get())
  }

  private static func content(of request: URLRequest) -> Result<[UInt8], NetworkError> {
    guard let stream = request.httpBodyStream else { return .success([]) }
    stream.open()
    defer { stream.close() }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count == 0 { return .success(content) }
      guard count > 0 else {
        return .failure(NetworkError(.invalidRequest, "The stream of the request's body can't be read."))
      }
      guard content.count + count <= ForeignLoad.maximumLength else {
        return .failure(.bodyTooLarge(limit: Int64(ForeignLoad.maximumLength)))
      }
      content += buffer[..<count]
    }
  }

  /// Returns the request to which a response redirects; nil if it doesn't redirect.
  ///
  /// As the URL loading system does it: after 303, and for a POST after 301 and 302, the method is GET, and
  /// credentials stay within the origin.
  ///
  /// - Parameter body: The body that was sent, which replaces the original's stream: that has been read.
  func redirected(by response: HTTPResponse, resending body: RequestBody) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(response.status.code), let url = original.url,
      let location = response.headerFields[.location],
      let target = URL(string: location, relativeTo: url)?.absoluteURL, target.host != nil,
      ["http", "https"].contains(target.scheme?.lowercased())
    else { return nil }
    var request = original
    request.url = target
    let method = original.httpMethod ?? "GET"
    let isRewritten =
      response.status.code == 303 ? method != "HEAD" : method == "POST" && response.status.code < 303
    if isRewritten {
      request.httpMethod = "GET"
      request.httpBodyStream = nil
      request.httpBody = nil
      for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language"] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    } else if request.httpBodyStream != nil {
      guard let content = body.bytes else { return nil }
      request.httpBodyStream = nil
      request.httpBody = Data(content)
    }
    if url.scheme?.lowercased() != target.scheme?.lowercased()
      || url.host?.lowercased() != target.host?.lowercased() || url.port != target.port
    {
      for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return request
  }
}

/// The head of a chain's response as `URLSession` delivers it.
struct ForeignResponse {
  let response: HTTPURLResponse

  /// Converts a response.
  ///
  /// - Throws: ``NetworkError/Kind/protocolViolation`` if Foundation cannot represent it.
  init(_ response: Response, to request: URLRequest, _ behavior: ForeignBehavior) throws(NetworkError) {
    var fields: [String: String] = [:]
    for field in response.head.headerFields {
      if behavior.answersChallenges, field.name == .wwwAuthenticate { continue }
      let name = field.name.rawName
      fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
    }
    let url = response.exchange.redirects.last.flatMap { URL(string: $0.url) } ?? request.url
    guard let url,
      let head = HTTPURLResponse(
        url: url, statusCode: response.status.code, httpVersion: Self.version(of: response),
        headerFields: fields)
    else {
      throw NetworkError(
        .protocolViolation, "Foundation cannot represent the response.", requestMayHaveBeenProcessed: true)
    }
    self.response = head
  }

  private static func version(of response: Response) -> String {
    switch response.transport?.version {
    case .http2: "HTTP/2.0"
    case .http3: "HTTP/3.0"
    default: "HTTP/1.1"
    }
  }
}

extension URLError {
  /// Creates the error of a request that failed in the chain, which is its underlying error.
  ///
  /// - Parameter url: The request's URL. Its query and user information, which may be secret, are left out:
  ///   Foundation prints an error with all that it contains.
  init(_ error: NetworkError, url: URL? = nil) {
    var information: [String: Any] = [
      NSLocalizedDescriptionKey: error.reason, NSUnderlyingErrorKey: error,
    ]
    if let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) {
      (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
      information[NSURLErrorFailingURLErrorKey] = parts.url
    }
    self.init(Self.code(of: error.kind), userInfo: information)
  }

  private static func code(of kind: NetworkError.Kind) -> URLError.Code {
    switch kind {
    case .invalidRequest: .badURL
    case .offline: .notConnectedToInternet
    case .resolve: .cannotFindHost
    case .connect, .proxyAuthentication: .cannotConnectToHost
    case .tls(.untrusted), .tls(.nameMismatch), .tls(.pinMismatch): .serverCertificateUntrusted
    case .tls(.expired): .serverCertificateHasBadDate
    case .tls(.handshake): .secureConnectionFailed
    case .timeout: .timedOut
    case .queueFull, .descriptorsExhausted: .resourceUnavailable
    case .unsupported: .unsupportedURL
    case .protocolViolation: .badServerResponse
    case .transport: .networkConnectionLost
    case .bodyNotReplayable: .requestBodyStreamExhausted
    case .bodyTooLarge: .dataLengthExceedsMaximum
    case .rejected: .cannotLoadFromNetwork
    case .needsLogin: .userAuthenticationRequired
    case .notStored: .resourceUnavailable
    case .cancelled: .cancelled
    }
  }
}
