import BodyFormats
import HTTPTypes
import Interception
import RequestFiles
import ToolCommands

/// Makes a request of the chain from one of a file.
struct RequestAssembly {
  private let prepared: PreparedRequest
  private let root: FileRoot
  private let chain: ChainOptions
  private let format: RequestFile.Format

  init(_ prepared: PreparedRequest, root: FileRoot, chain: ChainOptions, format: RequestFile.Format) {
    (self.prepared, self.root, self.chain, self.format) = (prepared, root, chain, format)
  }

  /// Returns the request.
  ///
  /// - Parameter partition: The owner of its cookies.
  func request(partition: String) throws(FileFault) -> Request {
    guard let method = HTTPRequest.Method(prepared.method) else {
      throw FileFault(
        "\"\(prepared.method)\" is no method of HTTP; write for example GET.", at: prepared.methodSpan)
    }
    var request: Request
    do throws(NetworkError) {
      request = try Request(prepared.url, method: method)
    } catch {
      throw FileFault("\(error.reason)", at: prepared.urlSpan)
    }
    if let content = prepared.content { try set(content, in: &request) }
    try setFields(of: &request)
    do throws(ToolFailure) {
      try chain.connection.apply(to: &request)
    } catch {
      throw FileFault("\(error)", at: prepared.methodSpan)
    }
    let options = prepared.options
    if let time = options.maximumTime { request.options.timeouts.call = time }
    if let time = options.connectTime { request.options.timeouts.connect = time }
    // hurl returns a redirect, and editors follow it.
    let follows = options.followsRedirects ?? (format == .http)
    if !follows || chain.noRedirects { request.context.redirects = .manual }
    request.context.partition = partition
    return request
  }

  private func setFields(of request: inout Request) throws(FileFault) {
    var fields: [HTTPField] = []
    for field in prepared.fields {
      guard let name = HTTPField.Name(field.name) else {
        throw FileFault(
          "\"\(Printable.text(field.name))\" is no name of a header field; correct it.", at: field.span)
      }
      // swift-http-types would replace a line break in a value by a space.
      guard HTTPField.isValidValue(field.value) else {
        throw FileFault(
          "The value of \(name.rawName) has a line break or a control character; remove it.", at: field.span)
      }
      fields.append(HTTPField(name: name, value: field.value))
    }
    // They replace those that the content brings.
    for name in Set(fields.map(\.name)) { request.head.headerFields[name] = nil }
    for field in fields { request.head.headerFields.append(field) }
  }

  private func set(_ content: PreparedRequest.Content, in request: inout Request) throws(FileFault) {
    switch content {
    case .form(let fields): request.setContent(.form(FormFields(fields.map { ($0.name, $0.value) })))
    case .multipart(let parts): request.setContent(.multipart(try form(of: parts)))
    case .pieces(let pieces, let contentType):
      request.body = try body(of: pieces)
      if let contentType { request.head.headerFields[.contentType] = contentType }
    }
  }

  private func body(of pieces: [PreparedRequest.Piece]) throws(FileFault) -> RequestBody {
    if case .file(let name, let span)? = pieces.first, pieces.count == 1 {
      let path = try path(of: name, span)
      do throws(NetworkError) {
        return try .file(path)
      } catch {
        throw FileFault("\(error.reason)", at: span)
      }
    }
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .bytes(let part): bytes += part
      case .file(let name, let span):
        do throws(FileAccessError) {
          bytes += try root.bytes(of: name)
        } catch {
          throw FileFault(error.message, at: span)
        }
      }
      guard bytes.count <= 256 << 20 else {
        throw FileFault("The content has more than 256 MiB; send one file alone.", at: prepared.urlSpan)
      }
    }
    return .bytes(bytes)
  }

  private func form(of parts: [PreparedRequest.Part]) throws(FileFault) -> MultipartForm {
    var form = MultipartForm()
    for part in parts {
      switch part.content {
      case .text(let text): form.append(text, named: part.name)
      case .file(let name, let contentType, let span):
        let path = try path(of: name, span)
        do throws(NetworkError) {
          try form.append(file: path, named: part.name, contentType: contentType ?? Self.mediaType(of: name))
        } catch {
          throw FileFault("\(error.reason)", at: span)
        }
      }
    }
    return form
  }

  private func path(of name: String, _ span: Span) throws(FileFault) -> String {
    do throws(FileAccessError) {
      return try root.path(of: name)
    } catch {
      throw FileFault(error.message, at: span)
    }
  }

  /// The media type for the end of a file's name.
  private static func mediaType(of name: String) -> String {
    let types = [
      "gif": "image/gif", "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
      "json": "application/json", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
      "txt": "text/plain", "xml": "application/xml",
    ]
    return types[name.split(separator: ".").last.map { $0.lowercased() } ?? ""] ?? "application/octet-stream"
  }
}
