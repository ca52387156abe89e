import CCurlShims
import CLibcurl
import Interception

/// Reads a transfer's figures from its handle.
struct TransferReport {
  let transport: TransportReport

  init(
    handle: borrowing EasyHandle, queue: Duration, version: TransportReport.HTTPVersion?,
    contentCoding: ContentCoding?, decoded: Int64
  ) {
    let isReused = handle.number(CURLINFO_NUM_CONNECTS) == 0
    let bytes = TransportReport.Bytes(
      sent: handle.offset(CURLINFO_SIZE_UPLOAD_T), received: handle.offset(CURLINFO_SIZE_DOWNLOAD_T),
      decoded: decoded)
    transport = TransportReport(
      phases: Self.phases(handle, queue: queue, isReused: isReused), bytes: bytes,
      remoteAddress: Self.address(handle), version: version, connectionWasReused: isReused,
      contentCoding: contentCoding)
  }

  // libcurl counts each time from the start; a phase that didn't take place has the time of the one before,
  // or 0.
  private static func phases(
    _ handle: borrowing EasyHandle, queue: Duration, isReused: Bool
  ) -> TransportReport.Phases {
    var phases = TransportReport.Phases(queue: queue)
    let named = handle.offset(CURLINFO_NAMELOOKUP_TIME_T)
    let connected = handle.offset(CURLINFO_CONNECT_TIME_T)
    let secured = handle.offset(CURLINFO_APPCONNECT_TIME_T)
    let ready = handle.offset(CURLINFO_PRETRANSFER_TIME_T)
    let first = handle.offset(CURLINFO_STARTTRANSFER_TIME_T)
    let last = handle.offset(CURLINFO_TOTAL_TIME_T)
    if !isReused {
      if named > 0 { phases.name = .microseconds(named) }
      if connected > 0 { phases.connect = .microseconds(max(connected - named, 0)) }
      if secured > 0 { phases.tls = .microseconds(max(secured - connected, 0)) }
    }
    if first > 0 {
      phases.firstByte = .microseconds(max(first - ready, 0))
      phases.lastByte = .microseconds(max(last - first, 0))
    }
    return phases
  }

  private static func address(_ handle: borrowing EasyHandle) -> String? {
    guard let address = handle.string(CURLINFO_PRIMARY_IP), !address.isEmpty else { return nil }
    let port = handle.number(CURLINFO_PRIMARY_PORT)
    return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
