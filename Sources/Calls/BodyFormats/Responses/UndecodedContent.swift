package import HTTPTypes
import Interception

extension HTTPFields {
  // Servers also send values that are no coding, such as "utf-8", with content that is not coded.
  private static let compressions: Set<String> = ["gzip", "deflate", "br", "zstd", "compress"]

  /// Why no value can be read from the content of a response with these fields: it is still in a content coding;
  /// nil if it is not.
  package var undecodedContentReason: String? {
    // Who decodes content removes the field.
    let codings = contentCodings
    guard codings.contains(where: Self.compressions.contains) else { return nil }
    let names = Response.printable(codings.joined(separator: ", "))
    return "The server sent the content in the coding \"\(names)\", which nothing in the chain has decoded; add a "
      + "CompressionInterceptor of the product BodyCompression, and no Accept-Encoding field."
  }
}
