public import HTTPTypes
public import Interception

/// The error of a resource that could not be loaded.
///
/// It is not remembered: the next load of the resource asks the pipeline again.
public struct ResourceError: Error, LoggableError, Sendable {
  /// What is wrong; cases are added in major versions only.
  public enum Kind: Sendable {
    /// The request is not one for a resource, its transfer failed, was cancelled, or is too long.
    case network(NetworkError)
    /// The status is not one of success with the whole content.
    case status(HTTPResponse.Status)
    /// The response has no content.
    case empty
    /// The resource, or the size at which it is to be shown, has a side without a pixel.
    case invalidSize(PixelSize)
    /// The resource has more pixels than the `pixels` of ``ResourceLimits``, and was not decoded.
    case tooManyPixels(PixelSize, limit: Int)
    /// The decoder threw this error.
    case undecodable(any Error)
  }

  /// What is wrong.
  public let kind: Kind
  /// The request, without its query and header fields.
  let request: Request.Summary

  init(_ kind: Kind, of request: Request) {
    self.kind = kind
    self.request = Request.Summary(request)
  }

  /// Whether the load was cancelled, and not refused or failed.
  public var isCancellation: Bool {
    if case .network(let error) = kind, case .cancelled = error.kind { true } else { false }
  }
}

extension ResourceError: CustomStringConvertible {
  /// What is wrong and what to do; then the method and the URL without its query, in brackets.
  public var description: String { reason + RequestNote.text(of: request) }

  private var reason: String {
    switch kind {
    case .network(let error): "\(error.label): \(error.reason)"
    case .status(let status): "The server answered with the status \(status.code) instead of the resource."
    case .empty: "The response has no content; the server must send the resource."
    case .invalidSize(let size):
      "The size is \(size) pixels; neither a resource nor the size at which it is shown can have a side of 0."
    case .tooManyPixels(let size, let limit):
      "The resource has \(size) pixels and was not decoded, because at most \(limit) are allowed; "
        + "serve a smaller one, or raise the limit \"pixels\"."
    case .undecodable(let error):
      "The content can't be decoded: \(NetworkError.loggableText(of: error)); it may be truncated, or of "
        + "another format."
    }
  }
}
