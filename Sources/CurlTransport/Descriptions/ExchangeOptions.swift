import CLibcurl
import HTTPTypes

/// The options of libcurl for the request of a transfer, besides its ``RequestLines``.
struct ExchangeOptions: Equatable {
  /// The line that pins the origin to another address; nil if the name decides.
  let connectTo: HeaderBlock?
  let method: HTTPRequest.Method
  /// Whether there is a body, which may be empty.
  let hasContent: Bool
  /// The number of bytes of the content; nil if it is not known beforehand.
  let contentLength: Int64?
  /// The value of `Accept-Encoding`; nil requests no coding and decodes none.
  let acceptedCodings: String?
  let connectMilliseconds: Int
  let weight: Int
  /// Whether sending continues after the server has refused the request.
  var continuesAfterRefusal = false

  /// Sets all options, also those that have libcurl's default; `list` keeps the line of `connectTo`, which
  /// libcurl reads without copying, until another one has replaced it.
  func apply(to handle: EasyHandle, _ list: inout HeaderList?) throws(CurlError) {
    // UPLOAD adds no Content-Type and sends chunks over HTTP/1.1 if the length is unknown. It precedes
    // CURLOPT_NOBODY, which turns GET into HEAD and leaves an upload unchanged.
    try handle.set(CURLOPT_UPLOAD, hasContent)
    try handle.set(CURLOPT_NOBODY, method == .head)
    let isDefault = !hasContent && (method == .get || method == .head)
    try handle.set(CURLOPT_CUSTOMREQUEST, isDefault ? nil : method.rawValue)
    try handle.set(CURLOPT_INFILESIZE_LARGE, offset: hasContent ? contentLength ?? -1 : -1)
    try handle.set(CURLOPT_KEEP_SENDING_ON_ERROR, continuesAfterRefusal)
    try handle.set(CURLOPT_ACCEPT_ENCODING, acceptedCodings)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
    try handle.set(CURLOPT_STREAM_WEIGHT, weight)
    guard let connectTo else {
      try unsafe handle.set(CURLOPT_CONNECT_TO, pointer: nil)
      return list = nil
    }
    // The previous transfer's list is freed only after libcurl has been given this one.
    let line = HeaderList(connectTo)
    try unsafe handle.set(CURLOPT_CONNECT_TO, pointer: line.first)
    list = consume line
  }
}
