import CLibcurl
import HTTPTypes
import Interception

/// What libcurl is told about the request of a transfer: target, header lines, method, content and limits.
struct ExchangeOptions: Equatable {
  /// Lists that libcurl reads and does not copy; they live until others have replaced them.
  struct Lists: ~Copyable {
    fileprivate var headers: HeaderList?
    fileprivate var connectTo: HeaderList?
  }

  private let target: String
  private let headers: HeaderBlock
  private let connectTo: HeaderBlock?
  private let method: HTTPRequest.Method
  private let hasContent: Bool
  private let contentLength: Int64?
  private let continuesAfterRefusal: Bool
  private let acceptedCodings: String?
  private let connectMilliseconds: Int
  private let weight: Int

  /// Describes a request.
  ///
  /// - Parameter continuesAfterRefusal: Whether sending continues after the server has refused the request.
  init(_ plan: RequestPlan, continuesAfterRefusal: Bool) {
    let proxy = plan.site.options.proxy
    target = proxy?.requestTarget(of: plan.target) ?? plan.path
    headers = plan.headers
    // A proxy decides where a name leads, and an HTTP proxy would be made a tunnel by it.
    connectTo = proxy == nil ? plan.connectTo : nil
    method = plan.method
    hasContent = plan.hasContent
    contentLength = plan.contentLength
    self.continuesAfterRefusal = continuesAfterRefusal
    acceptedCodings = plan.acceptedCodings
    connectMilliseconds = plan.connectMilliseconds
    weight = plan.options.priority.weight
  }

  /// Sets all of them, also those that have libcurl's default here.
  func apply(to handle: EasyHandle, _ lists: inout Lists) throws(CurlError) {
    try handle.set(CURLOPT_REQUEST_TARGET, target)
    // The upload form invents no Content-Type, and sends chunks over HTTP/1.1 if the length is unknown. It
    // comes before NOBODY, which turns GET into HEAD and leaves an upload alone.
    try handle.set(CURLOPT_UPLOAD, hasContent ? 1 : 0)
    try handle.set(CURLOPT_NOBODY, method == .head ? 1 : 0)
    let isDefault = !hasContent && (method == .get || method == .head)
    try handle.set(CURLOPT_CUSTOMREQUEST, isDefault ? nil : method.rawValue)
    try handle.set(CURLOPT_INFILESIZE_LARGE, offset: hasContent ? contentLength ?? -1 : -1)
    try handle.set(CURLOPT_KEEP_SENDING_ON_ERROR, continuesAfterRefusal ? 1 : 0)
    try handle.set(CURLOPT_ACCEPT_ENCODING, acceptedCodings)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    try handle.set(CURLOPT_STREAM_WEIGHT, weight)
    // The lists of the previous transfer are freed only after libcurl has been given these.
    let lines = HeaderList(headers)
    try unsafe handle.set(CURLOPT_HTTPHEADER, list: lines.first)
    lists.headers = consume lines
    guard let connectTo else {
      try unsafe handle.set(CURLOPT_CONNECT_TO, list: nil)
      return lists.connectTo = nil
    }
    let line = HeaderList(connectTo)
    try unsafe handle.set(CURLOPT_CONNECT_TO, list: line.first)
    lists.connectTo = consume line
  }
}
