import HTTPServing

/// The configuration of nginx in front of the API: it terminates TLS and HTTP/2.
///
/// All paths in it are relative, so that no path needs quoting.
struct NginxConfiguration: Hashable {
  static let fileName = "nginx.conf"
  /// The field in which nginx names each request to the API.
  static let requestID = "X-Request-ID"
  /// Precedes the name of a request whose client left, in a line that nginx writes.
  static let abandoned = "abandoned "

  let address: String
  let port: UInt16
  /// The port of 127.0.0.1 at which the API answers in plain HTTP/1.1.
  let upstream: UInt16
  /// The user as whom nginx does its work when it is started by root; the default one can't enter the state
  /// directory.
  let user: String?

  /// The folder within the state directory in which nginx runs.
  var folder: String { "nginx-\(address)" }

  var text: String {
    // nginx 1.25 would like "http2 on" as a line of its own, which Debian's 1.22 does not know; both know
    // this form.
    """
    daemon off;
    \(user.map { "user \($0);" } ?? "")
    pid nginx.pid;
    worker_processes 1;
    worker_shutdown_timeout 5s;
    error_log stderr warn;
    events { worker_connections 256; }
    http {
      # The API cancels what it does for a client that left; nginx alone sees that.
      map $status $is_abandoned { default 0; 499 1; }
      log_format abandoned '\(Self.abandoned)$request_id';
      access_log /dev/stderr abandoned if=$is_abandoned;
      server_tokens off;
      # A client need not notice the end of its idle connection, for which nginx would wait 5 s when it stops.
      lingering_timeout 500ms;
      # Above the API's own limit, and all of it in memory.
      client_max_body_size \(BodyLimits.encoded * 4);
      client_body_buffer_size \(BodyLimits.encoded * 4);
      client_body_temp_path client-body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      server {
        listen \(address):\(port) ssl http2;
        ssl_certificate ../\(ServerCertificate.certificateName);
        ssl_certificate_key ../\(ServerCertificate.keyName);
        ssl_protocols TLSv1.2 TLSv1.3;
        error_page 413 @too_large;
        location / {
          proxy_pass http://127.0.0.1:\(upstream);
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header \(Self.requestID) $request_id;
          # Answers are passed on as they come.
          proxy_buffering off;
          proxy_read_timeout 1d;
        }
        location @too_large {
          internal;
          default_type "application/json; charset=utf-8";
          add_header Cache-Control no-store always;
          return 413 '{"error":{"code":"\(APIError.bodyTooLarge.code)","message":"\(APIError.bodyTooLarge.message)"}}';
        }
      }
    }

    """
  }
}
