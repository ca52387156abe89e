import HTTPTypes
import Interception

/// Loads pages of the web through the app's one pipeline.
struct Pages {
  let dispatcher: any Dispatcher

  func page(_ url: String) async throws -> Page {
    guard let scheme = url.split(separator: ":").first,
      let request = Self.request(url, scheme: String(scheme))
    else {
      throw PageFault.notAWebAddress(url)
    }
    let response = try await dispatcher.dispatch(request)
    guard response.status.kind == .successful else { throw PageFault.status(response.status.code) }
    return Page(html: String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self))
  }

  private static func request(_ url: String, scheme: String) -> Request? {
    guard url.hasPrefix("\(scheme)://") else { return nil }
    let rest = url.dropFirst(scheme.count + 3).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    return Request(
      scheme: scheme, authority: String(authority), path: path.hasPrefix("/") ? String(path) : "/" + path)
  }
}
