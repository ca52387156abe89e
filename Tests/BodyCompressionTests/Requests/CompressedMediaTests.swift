import Testing

@testable import BodyCompression

@Suite struct CompressedMediaTests {
  @Test(
    "Media types with compressed content are recognized",
    arguments: [
      "image/jpeg", "IMAGE/PNG", "video/mp4", "audio/mpeg", "application/zip", "application/gzip; charset=x",
      "application/epub+zip", "font/woff2", " application/pdf ",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ])
  func compressed(type: String) { #expect(CompressedMedia.includes(type)) }

  @Test(
    "Media types with compressible content are recognized",
    arguments: [
      "", "application/json", "text/plain; charset=utf-8", "image/svg+xml", "image/bmp", "audio/wav",
      "application/x-www-form-urlencoded", "multipart/form-data; boundary=image/png", "imagery/x", "/",
    ])
  func compressible(type: String) { #expect(!CompressedMedia.includes(type)) }

  @Test(
    "A part of a resumable upload is sent as it is",
    arguments: ["application/offset+octet-stream", "application/partial-upload"])
  func parts(type: String) { #expect(CompressedMedia.includes(type)) }
}
