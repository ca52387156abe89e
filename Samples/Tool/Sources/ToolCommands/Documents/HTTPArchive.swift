import Foundation
import Interception

/// The parts of a HAR 1.2 document that the commands read.
struct HTTPArchive: Decodable {
  let log: Log

  /// Reads a document.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unreadable`` if it is not an archive.
  init(_ bytes: [UInt8]) throws(ToolFailure) {
    do {
      self = try JSONDecoder().decode(HTTPArchive.self, from: Data(bytes))
    } catch {
      throw ToolFailure(
        .unreadable, "The archive is not HAR 1.2; export it anew. It must be JSON with log.entries.")
    }
  }

  struct Log: Decodable {
    let entries: [Lenient]
  }

  /// An entry, or nil if it can't be read.
  struct Lenient: Decodable {
    let value: Entry?

    init(from decoder: any Decoder) throws { value = try? Entry(from: decoder) }
  }

  struct Entry: Decodable {
    let startedDateTime: String
    let request: Request
    let response: Response
    let cache: Cache?
    /// The library's own: the ID of the request and the number of the attempt.
    let comment: String?
    /// Browsers' own addition: "disk" or "memory".
    let _fromCache: String?

    var isFromCache: Bool { _fromCache != nil || cache?.comment?.hasPrefix("hit") == true }

    var time: WallTime? {
      for hasFraction in [true, false] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
        guard let date = try? Date(startedDateTime, strategy: style) else { continue }
        let seconds = date.timeIntervalSince1970
        guard seconds.magnitude < 1e11 else { return nil }
        let whole = seconds.rounded(.down)
        return WallTime(secondsSince1970: Int64(whole), nanoseconds: Int64((seconds - whole) * 1e9))
      }
      return nil
    }
  }

  struct Request: Decodable {
    let method: String
    let url: String
    let headers: [Field]?
    let postData: Content?
    let bodySize: Int64?
  }

  struct Response: Decodable {
    let status: Int?
    let headers: [Field]?
    let content: Content?
    let redirectURL: String?
    /// The library's own: the label of an error, and the part of the chain that threw it.
    let comment: String?
    /// Browsers' own addition, such as "net::ERR_CONNECTION_REFUSED".
    let _error: String?
  }

  struct Content: Decodable {
    let size: Int64?
    let mimeType: String?
    let text: String?
    let encoding: String?
  }

  struct Cache: Decodable {
    let comment: String?
  }

  struct Field: Decodable {
    let name: String
    let value: String
  }
}
