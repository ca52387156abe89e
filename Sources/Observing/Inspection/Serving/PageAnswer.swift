/// A response of the page's server.
struct PageAnswer: Sendable {
  let status: Int
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []
  /// Whether the connection stays open for events.
  var isEventStream = false
  /// Whether the connection is closed after it, also if the request doesn't ask for that.
  var closes = false

  /// A response without content.
  static func status(_ status: Int) -> PageAnswer { PageAnswer(status: status) }

  /// A refusal: one who doesn't know the address doesn't keep one of the few connections.
  static func refusal(_ status: Int) -> PageAnswer { PageAnswer(status: status, closes: true) }

  /// A document.
  static func content(_ body: [UInt8], type: String, status: Int = 200) -> PageAnswer {
    PageAnswer(status: status, fields: [("Content-Type", type)], body: body)
  }

  /// The beginning of a stream of events.
  static let events = PageAnswer(
    status: 200, fields: [("Content-Type", "text/event-stream")], isEventStream: true)

  private static let common = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// The response as bytes of HTTP/1.1.
  ///
  /// - Parameters:
  ///   - hasContent: False for a response to HEAD.
  ///   - closes: Whether the connection is closed after it.
  func bytes(hasContent: Bool = true, closes: Bool = false) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.reason(of: status))\r\n"
    for (name, value) in Self.common + fields { head += "\(name): \(value)\r\n" }
    if !isEventStream { head += "Content-Length: \(body.count)\r\n" }
    head += "Connection: \(closes ? "close" : "keep-alive")\r\n\r\n"
    return Array(head.utf8) + (hasContent ? body : [])
  }

  private static func reason(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Unknown"
    }
  }
}

/// A file of the page, which is compiled into the program.
struct PageAsset {
  let bytes: [UInt8]
  let type: String

  /// Finds a file by its name below the page's address, where the page itself has none.
  init?(_ name: String) {
    guard let bytes = Self.content(of: name) else { return nil }
    self.bytes = bytes
    type =
      switch name.split(separator: ".").last {
      case "css": "text/css; charset=utf-8"
      case "js": "text/javascript; charset=utf-8"
      default: "text/html; charset=utf-8"
      }
  }

  private static func content(of name: String) -> [UInt8]? {
    switch name {
    case "": PackageResources.inspector_html
    case "inspector.css": PackageResources.inspector_css
    case "inspector.js": PackageResources.inspector_js
    case "inspector-body.js": PackageResources.inspector_body_js
    case "inspector-call.js": PackageResources.inspector_call_js
    case "inspector-diff.js": PackageResources.inspector_diff_js
    case "inspector-elements.js": PackageResources.inspector_elements_js
    case "inspector-feed.js": PackageResources.inspector_feed_js
    case "inspector-filters.js": PackageResources.inspector_filters_js
    case "inspector-interventions.js": PackageResources.inspector_interventions_js
    case "inspector-list.js": PackageResources.inspector_list_js
    case "inspector-pipeline.js": PackageResources.inspector_pipeline_js
    case "inspector-timeline.js": PackageResources.inspector_timeline_js
    case "inspector-totals.js": PackageResources.inspector_totals_js
    case "inspector-waterfall.js": PackageResources.inspector_waterfall_js
    default: nil
    }
  }
}
